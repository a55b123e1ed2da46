import { UnreachableError, UsageError } from '../errors.ts'

/** What the exit code of a command says (README, "Exit codes"). */
export const exits = {
  conformant: 0,
  nonConformant: 1,
  usage: 2,
  unreachable: 3,
  broken: 4,
  interrupted: 130,
} as const

/** An outcome that a command prints and ends with: a message for the user, and the exit code. */
export class Exit extends Error {
  override readonly name = 'Exit'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** The exit code and the message of whatever a command threw. Never a stack trace. */
export function describeEnd(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof Exit) return { code: error.code, message: error.message }
  if (error instanceof UsageError) return { code: exits.usage, message: error.message }
  if (error instanceof UnreachableError) return { code: exits.unreachable, message: error.message }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { code: exits.broken, message: `Assay itself failed. ${message}` }
}
