/** The package's entry point `assay/mocks`: the services of a stack, in the process of whoever tests a client. */

import type { StackOptions } from '../../mocks/stack/options.ts'
import { type Stack, startStack as start } from '../../mocks/stack.ts'
import { loadTable } from './load-faults.ts'

export { ControlError } from '../../mocks/control/control-error.ts'
export type { Fault, Seams } from '../../mocks/control/fault.ts'
export { WaitTimeout } from '../../mocks/control/journal.ts'
export type { JournalEntry } from '../../mocks/control/journal-entry.ts'
export type { JournalFilter } from '../../mocks/control/journal-filter.ts'
export type { Match, Occasion } from '../../mocks/control/occasion.ts'
export { StackError } from '../../mocks/stack/error.ts'
export type { Targets } from '../../mocks/stack/targets.ts'
export type { Stack, StackOptions }

/**
 * Starts the services, and resolves once every port answers. The faults, variations and cheats of the suites can be
 * switched on, unless `faults` gives others. Rejects with `StackError`, or with `ControlError` for one that is not
 * known.
 */
export function startStack(options: StackOptions = {}): Promise<Stack> {
  return start({ faults: loadTable, ...options })
}
