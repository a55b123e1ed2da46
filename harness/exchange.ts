/** One request and what came back, as a report shows it. Secrets were taken out when it was recorded. */
export interface Exchange {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly (readonly [name: string, value: string])[]
    readonly body?: RecordedBody
    /** Whose credentials went along, where the client chose them: what a script needs to ask for the same again. */
    readonly credentials?: RecordedCredentials
  }
  /** Absent when no answer came. */
  readonly response?: {
    readonly status: number
    readonly headers: readonly (readonly [name: string, value: string])[]
    readonly body?: RecordedBody
  }
  /** What happened instead of an answer, or in the middle of it: "connection reset", "no answer within 10 s". */
  readonly failure?: string
  /** Milliseconds from sending the request to the end of the answer. */
  readonly durationMs: number
  /** ISO 8601. */
  readonly startedAt: string
}

export interface RecordedCredentials {
  /** `token`: got from the token service for this account and scope; `made`: made by the suite, described by `note`. */
  readonly kind: 'token' | 'basic' | 'made'
  readonly account?: string
  readonly scope?: string
  readonly note?: string
}

export interface RecordedBody {
  /** Bytes on the wire. */
  readonly size: number
  /** The text where it is text, up to 4 KiB; longer text and other content is told by size and digest. */
  readonly text?: string
  readonly truncated?: boolean
  /** `sha256:<hex>` of all of it. */
  readonly digest?: string
  /** A shell pipeline that writes the bytes of a request body, so that scripts can send them again. */
  readonly shell?: string
}
