/** Shows what goes on to one fault after the other, in its order, until it is touched. */
export interface Audience<T> {
  see(seen: Promise<T>): void
  /** What cannot be shown may have touched anyone. */
  giveUp(): void
  /** Resolves once all has been shown. */
  done(): Promise<void>
}

/** `shadows` by the ids of their faults; those that are touched go into `touched`. */
export function createAudience<T>(
  shadows: Map<string, (seen: T) => Promise<boolean>>,
  touched: Set<string>,
): Audience<T> {
  let last = Promise.resolve()
  const show = async (seen: T) => {
    for (const [id, shadow] of shadows) {
      if (touched.has(id)) shadows.delete(id)
      else if (await shadow(seen)) touched.add(id)
    }
  }
  const giveUp = () => {
    for (const id of shadows.keys()) touched.add(id)
  }
  return {
    giveUp,
    see(seen) {
      const before = last
      last = seen.then((copy) => before.then(() => show(copy))).catch(giveUp)
    },
    done: () => last,
  }
}
