export type ControlErrorCode =
  | 'bad-json'
  | 'bad-value'
  | 'cannot-reset'
  | 'forbidden'
  | 'method-not-allowed'
  | 'not-found'
  | 'unknown-fault'
  | 'unknown-key'

const statuses: Record<ControlErrorCode, number> = {
  'bad-json': 400,
  'bad-value': 400,
  'cannot-reset': 409,
  forbidden: 403,
  'method-not-allowed': 405,
  'not-found': 404,
  'unknown-fault': 404,
  'unknown-key': 400,
}

/** A request to the control surface, or an option of the library, that cannot be met. The message says the way out. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly code: ControlErrorCode
  readonly status: number

  constructor(code: ControlErrorCode, message: string) {
    super(message)
    this.code = code
    this.status = statuses[code]
  }
}
