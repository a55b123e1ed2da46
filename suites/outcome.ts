/** What came of some work: its value, or what it failed with. */
export type Outcome<T> = () => T

/** Sees the work to its end, so that who needs it fails with it and nobody else does. */
export async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    const value = await work()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}
