/** What a fault does to the people who depend on the target. */
export type FaultKind = 'corruption' | 'security' | 'interoperability' | 'cosmetic'

/**
 * One deliberate defect of a target, and the requirements that must turn red under it. `seams` stands in front of the
 * services: each entry takes the real thing and gives the faulty one, so that the services need no switch.
 */
export interface Fault<Seams = object> {
  readonly id: string
  /** What is wrong, in one sentence in the present tense. */
  readonly what: string
  readonly kind: FaultKind
  /** Ids of requirements; each of them catches the fault alone. */
  readonly breaks: readonly string[]
  /** What a good client does when it meets this. */
  readonly client?: string
  readonly seams: Seams
}

/** A correct way to behave that differs from ours: nothing may turn red under it. */
export interface Variation<Seams = object> {
  readonly id: string
  readonly what: string
  /** Under it requirements cannot be verified that can be without it: it leaves out what they need. */
  readonly withholds?: true
  readonly seams: Seams
}

/** Says of a variation that it withholds something. */
export const withholding = <Seams>(variation: Variation<Seams>): Variation<Seams> => ({
  ...variation,
  withholds: true,
})

/** A target that only looks conformant: no run may call it so, whichever of its requirements turn red. */
export interface Cheat<Seams = object> {
  readonly id: string
  readonly what: string
  readonly seams: Seams
}
