/** Something to try on targets of its own, and the requirements that are judged there. */
export interface Trial {
  readonly id: string
  readonly requirements: readonly string[]
}

/**
 * Puts trials into rounds: in a round no requirement is judged twice, and no more than `largest` trials run, as each
 * has a stack of its own.
 */
export function rounds<T extends Trial>(trials: readonly T[], largest: number): readonly (readonly T[])[] {
  const open: { readonly trials: T[]; readonly taken: Set<string> }[] = []
  for (const trial of trials) {
    const fitting = open.find(
      (round) => round.trials.length < largest && !trial.requirements.some((id) => round.taken.has(id)),
    )
    const round = fitting ?? { trials: [], taken: new Set<string>() }
    if (!fitting) open.push(round)
    round.trials.push(trial)
    for (const id of trial.requirements) round.taken.add(id)
  }
  return open.map((round) => round.trials)
}
