/** What went wrong, as callers tell it apart; the message is the sentence that Kubo 0.42 says in that case. */
export type IpfsErrorCode =
  | 'ERR_BAD_PATH'
  | 'ERR_BLOCK_MISSING'
  | 'ERR_DAG_INCOMPLETE'
  | 'ERR_NO_LINK'
  | 'ERR_NOT_A_DIRECTORY'
  | 'ERR_IS_A_DIRECTORY'
  | 'ERR_MALFORMED_BLOCK'
  | 'ERR_PIN'
  | 'ERR_INPUT'
  | 'ERR_STORE_CLOSED'
  | 'ERR_STORE_LOCKED'

/** A failure that a client is told about, word for word. */
export class IpfsError extends Error {
  readonly code: IpfsErrorCode

  constructor(code: IpfsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'IpfsError'
    this.code = code
  }
}

/** Whether `error` is an IpfsError with one of `codes`. */
export function isIpfsError(error: unknown, ...codes: readonly IpfsErrorCode[]): error is IpfsError {
  return error instanceof IpfsError && (codes.length === 0 || codes.includes(error.code))
}
