/** The package's entry point `assay/mocks`: the services of a stack, in the process of whoever tests a client. */

export { ControlError } from '../../mocks/control/control-error.ts'
export type { Fault, Seams } from '../../mocks/control/fault.ts'
export { WaitTimeout } from '../../mocks/control/journal.ts'
export type { JournalEntry } from '../../mocks/control/journal-entry.ts'
export type { JournalFilter } from '../../mocks/control/journal-filter.ts'
export type { Match, Occasion } from '../../mocks/control/occasion.ts'
export { type Stack, startStack } from '../../mocks/stack.ts'
export { StackError } from '../../mocks/stack-error.ts'
export type { StackOptions } from '../../mocks/stack-options.ts'
export type { Targets } from '../../mocks/targets.ts'
