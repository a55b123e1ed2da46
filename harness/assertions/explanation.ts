import type { AssertionProof, Survivor } from './prove.ts'

/** Why no fault can need an assertion that stays. */
export interface Explanation {
  /** The id of the requirement whose test it is in, or the file and the outermost function. */
  readonly within: string
  /** Its text as it is compiled, on one line; `#2` behind it where the same text stands in the same place before. */
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
  const keyOf = ({ within, text }: Pick<Explanation, 'within' | 'text'>) => `${within}: ${text}`
  const reasons = new Map(explanations.map((explanation) => [keyOf(explanation), explanation.reason]))
  const needed = new Set(proof.needed.map(keyOf))
  const surviving = new Set(proof.survivors.map(keyOf))
  return {
    unexplained: proof.survivors.filter((survivor) => !reasons.has(keyOf(survivor))),
    explained: proof.survivors.flatMap((survivor) => {
      const reason = reasons.get(keyOf(survivor))
      return reason === undefined ? [] : [{ ...survivor, reason }]
    }),
    needless: explanations.filter((explanation) => needed.has(keyOf(explanation))),
    lost: explanations.filter((explanation) => {
      const key = keyOf(explanation)
      return !needed.has(key) && !surviving.has(key)
    }),
  }
}
