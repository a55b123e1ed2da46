import { AsyncLocalStorage } from 'node:async_hooks'

/** What happened to the assertions of one test, by their places. */
export interface AssertionTrace {
  /** Those that the test came to. */
  readonly reached: readonly string[]
  /** Those that were not through when the test ended: one that fails, and those around it. */
  readonly decisive: readonly string[]
}

interface Switches {
  readonly omit: string | undefined
  /** By place, how many calls are not through yet. */
  readonly pending: Map<string, number>
}

// Tests run side by side, and each leaves out another assertion.
const current = new AsyncLocalStorage<Switches>()

/** Runs a test without the assertion at a place; `finish` is told what became of the others, however the test ends. */
export function withoutAssertion(
  omit: string | undefined,
  test: () => Promise<void>,
  finish: (trace: AssertionTrace) => void,
): Promise<void> {
  const switches: Switches = { omit, pending: new Map() }
  return current.run(switches, test).finally(() => {
    const calls = [...switches.pending]
    finish({
      reached: calls.map(([place]) => place),
      decisive: calls.flatMap(([place, count]) => (count > 0 ? [place] : [])),
    })
  })
}

/**
 * Whether the assertion at a place is left out of the test that runs; otherwise the test has come to it.
 * @public for the suites, which get calls of it when they are loaded
 */
export function omitted(place: string): boolean {
  const switches = current.getStore()
  if (!switches) return false
  if (switches.omit === place) return true
  switches.pending.set(place, (switches.pending.get(place) ?? 0) + 1)
  return false
}

/**
 * Notes that an assertion holds: its call came back with this, or will once this is there.
 * @public for the suites, which get calls of it when they are loaded
 */
export function passed<T>(place: string, value: T): T {
  const switches = current.getStore()
  if (!switches) return value
  const note = (result: unknown) => {
    switches.pending.set(place, (switches.pending.get(place) ?? 0) - 1)
    return result
  }
  return value instanceof Promise ? (value.then(note) as T) : (note(value) as T)
}

/**
 * The expectation at a place, which looks at nothing where it is left out.
 * @public for the suites, which get calls of it when they are loaded
 */
export const asserting =
  <Arguments extends readonly unknown[], Result>(
    place: string,
    expectation: (...args: Arguments) => Result,
  ) =>
  (...args: Arguments): Result | undefined =>
    omitted(place) ? undefined : passed(place, expectation(...args))
