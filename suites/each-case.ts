import { Finding } from '../harness/finding.ts'

/** Checks cases of one rule in turn; a finding says in which case it was made. */
export async function eachCase<T>(
  cases: Iterable<readonly [name: string, value: T]>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  for (const [name, value] of cases) {
    try {
      await check(value)
    } catch (error) {
      throw error instanceof Finding ? new Finding(`${error.expected} (${name})`, error.seen) : error
    }
  }
}
