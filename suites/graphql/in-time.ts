import { expectThat } from '../../harness/finding.ts'

/** What some work came to, and in how many seconds. */
export interface Timed<T> {
  readonly result: T
  readonly seconds: number
}

/** Does some work, and takes the time. */
export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const start = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - start) / 1000 }
}

/** What was done took no more than so many seconds. */
export function expectWithin(limit: number, { seconds }: Timed<unknown>): void {
  expectThat(seconds <= limit, `an end within ${limit} s`, `${seconds.toFixed(1)} s`)
}
