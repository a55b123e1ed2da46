import { expectThat } from '../../harness/finding.ts'

/** What is done takes no more than so many seconds. */
export async function expectWithin<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  const took = (performance.now() - start) / 1000
  expectThat(took <= seconds, `an end within ${seconds} s`, `${took.toFixed(1)} s`)
  return result
}
