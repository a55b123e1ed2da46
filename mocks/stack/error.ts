export type StackErrorCode =
  | 'ERR_BAD_OPTION'
  | 'ERR_PORT_TAKEN'
  | 'ERR_PORT_REFUSED'
  | 'ERR_SIGNING_SECRET'
  | 'ERR_DATABASE'
  | 'ERR_DATA_FOLDER'

/** A stack could not start, for a reason that whoever started it can mend. Nothing is left running. */
export class StackError extends Error {
  override readonly name = 'StackError'
  readonly code: StackErrorCode
  /** The option that has to change, by its name in `StackOptions`. */
  readonly option: string

  constructor(code: StackErrorCode, option: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
    this.option = option
  }
}
