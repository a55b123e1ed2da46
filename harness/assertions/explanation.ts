import type { Assertion } from './plugin.ts'
import type { AssertionProof, Survivor } from './prove.ts'

/** Why no fault can need an assertion that stays. */
export interface Explanation {
  /** The id of the requirement whose test it is in, or the file and the outermost function. */
  readonly within: string
  /**
   * Its text as it is compiled, on one line; `#2` behind it where the same text stands in the same place before; `*`
   * for all that is there.
   */
  readonly text: string
  readonly reason: string
}

export interface Explained {
  readonly unexplained: readonly Survivor[]
  readonly explained: readonly (Survivor & { readonly reason: string })[]
  /** Explanations of assertions that a fault needs by now. */
  readonly needless: readonly Explanation[]
  /** Explanations of assertions that are not there. */
  readonly lost: readonly Explanation[]
}

/** Tells survivors that are explained from those that are not. */
export function explain(proof: AssertionProof, explanations: readonly Explanation[]): Explained {
  const about = (assertion: Assertion) => (explanation: Explanation) =>
    explanation.within === assertion.within &&
    (explanation.text === assertion.text || explanation.text === '*')
  const one = (assertions: readonly Assertion[], explanation: Explanation) =>
    assertions.some((assertion) => about(assertion)(explanation))
  return {
    unexplained: proof.survivors.filter((survivor) => !explanations.some(about(survivor))),
    explained: proof.survivors.flatMap((survivor) => {
      const explanation = explanations.find(about(survivor))
      return explanation ? [{ ...survivor, reason: explanation.reason }] : []
    }),
    needless: explanations.filter((explanation) => one(proof.needed, explanation)),
    lost: explanations.filter((explanation) => !one([...proof.needed, ...proof.survivors], explanation)),
  }
}
