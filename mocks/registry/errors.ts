/**
 * A request that is refused: a value that a handler answers with instead of a response. There is one constructor for
 * each code of https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#error-codes.
 */
export class Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly detail: unknown
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    { detail, headers = {} }: { detail?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.status = status
    this.code = code
    this.message = message
    this.detail = detail
    this.headers = headers
  }

  toResponse(): Response {
    const { code, message, detail } = this
    return Response.json(
      { errors: [{ code, message, detail }] },
      { status: this.status, headers: this.headers },
    )
  }
}

export const blobUnknown = (digest: string) =>
  new Refusal(404, 'BLOB_UNKNOWN', 'blob unknown to registry', { detail: { digest } })

/** A chunk that the session cannot take. 416 asks the client to read the status of the upload. */
export const blobUploadInvalid = (status: 400 | 416, message: string, headers?: Record<string, string>) =>
  new Refusal(status, 'BLOB_UPLOAD_INVALID', message, headers && { headers })

export const blobUploadUnknown = (id: string) =>
  new Refusal(404, 'BLOB_UPLOAD_UNKNOWN', 'blob upload unknown to registry', { detail: { upload: id } })

export const digestInvalid = (message: string, detail?: unknown) =>
  new Refusal(400, 'DIGEST_INVALID', message, { detail })

export const manifestBlobUnknown = (digests: readonly string[]) =>
  new Refusal(404, 'MANIFEST_BLOB_UNKNOWN', 'manifest references content that the repository does not hold', {
    detail: { digests: digests.slice(0, 100) },
  })

export const manifestInvalid = (message: string) => new Refusal(400, 'MANIFEST_INVALID', message)

export const manifestTooLarge = (limit: number) =>
  new Refusal(413, 'MANIFEST_INVALID', `a manifest may have at most ${limit} bytes`)

export const manifestUnknown = (reference: string) =>
  new Refusal(404, 'MANIFEST_UNKNOWN', 'manifest unknown to registry', { detail: { reference } })

export const nameInvalid = (message: string) => new Refusal(400, 'NAME_INVALID', message)

export const nameUnknown = (name: string) =>
  new Refusal(404, 'NAME_UNKNOWN', 'repository name not known to registry', { detail: { name } })

export const sizeInvalid = (message: string, status: 400 | 413 = 400) =>
  new Refusal(status, 'SIZE_INVALID', message)

/** The challenge says how to get a token that will do. */
export const unauthorized = (message: string, challenge: string) =>
  new Refusal(401, 'UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': challenge } })

export const denied = (message = 'requested access to the resource is denied') =>
  new Refusal(403, 'DENIED', message)

export const unsupported = (status: number, message: string, headers?: Record<string, string>) =>
  new Refusal(status, 'UNSUPPORTED', message, headers && { headers })

export const tooManyRequests = (retryAfterSeconds: number) =>
  new Refusal(429, 'TOOMANYREQUESTS', 'too many failed logins', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })

/** Not the client's doing, and likely to pass. The code is not one of the specification, which has none for 5xx. */
export const unavailable = (message: string) =>
  new Refusal(503, 'UNAVAILABLE', message, { headers: { 'Retry-After': '5' } })

/** Stored content that is not what was pushed. Asking again does not help. */
export const contentDamaged = () =>
  new Refusal(502, 'UNAVAILABLE', 'the storage node returned content that does not match its digest')
