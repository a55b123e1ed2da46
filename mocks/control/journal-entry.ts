import { accountOf } from './account.ts'
import { addressOf } from './address.ts'
import type { Service } from './fault.ts'
import { operationOf } from './operation.ts'

/** One request that a service received. Credentials are told as the account that they name, and nothing more. */
export interface JournalEntry {
  /** 1 for the first request after start or reset. */
  readonly seq: number
  readonly service: Service
  /** ISO 8601, by the clock of the stack. */
  readonly at: string
  /** Milliseconds until the headers of the answer, null while there is none. */
  readonly ms: number | null
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly operation: string | null
  readonly repository: string | null
  readonly account: string | null
  /** Null while there is no answer, and for good when the request was cut off before one. */
  readonly status: number | null
  readonly outcome: 'pending' | 'answered' | 'cut'
}

const secretParameters = new Set(['password', 'token', 'access_token', 'refresh_token'])

/** A request in the journal. What an entry tells is worked out when somebody asks, which is seldom. */
export class Received {
  readonly #seq: number
  readonly #service: Service
  readonly #at: number
  readonly #method: string
  readonly #url: string
  readonly #authorization: string | null
  readonly #startedAt = performance.now()
  #operation: string | null | undefined
  #ms: number | null = null
  #status: number | null = null
  #outcome: JournalEntry['outcome'] = 'pending'
  #told: Pick<JournalEntry, 'path' | 'query' | 'operation' | 'repository' | 'account'> | undefined

  constructor(seq: number, service: Service, at: number, request: Request) {
    this.#seq = seq
    this.#service = service
    this.#at = at
    this.#method = request.method
    this.#url = request.url
    this.#authorization = request.headers.get('authorization')
  }

  /** Names the operation where the URL does not tell it. */
  name(operation: string | null): void {
    this.#operation = operation
    this.#told = undefined
  }

  settle(outcome: 'answered' | 'cut', status: number | null): void {
    this.#outcome = outcome
    this.#status = status
    this.#ms = Math.round((performance.now() - this.#startedAt) * 10) / 10
  }

  get pending(): boolean {
    return this.#outcome === 'pending'
  }

  entry(): JournalEntry {
    this.#told ??= this.#tell()
    return {
      seq: this.#seq,
      service: this.#service,
      at: new Date(this.#at).toISOString(),
      ms: this.#ms,
      method: this.#method,
      ...this.#told,
      status: this.#status,
      outcome: this.#outcome,
    }
  }

  #tell() {
    const { path, query } = addressOf(this.#url)
    const { operation, repository } = operationOf(this.#service, this.#method, path)
    const shown = [...query].map(([key, value]) => [key, secretParameters.has(key) ? '…' : value])
    return {
      path,
      query: Object.fromEntries(shown),
      operation: this.#operation === undefined ? operation : this.#operation,
      repository,
      account: accountOf(this.#authorization),
    }
  }
}
