import { setMaxListeners } from 'node:events'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { type Answer, createAnswer, type HeaderList } from './answer.ts'
import { Interruption, Stopped, TargetFailure } from './errors.ts'
import type { Exchange, RecordedCredentials } from './exchange.ts'
import { gather } from './gather.ts'
import type { Observer } from './journal/observer.ts'
import { sendRaw } from './raw-http.ts'
import { recordAnswer, recordBody, recordHeaders } from './record.ts'
import type { Redactor } from './redactor.ts'
import { sha256 } from './sha256.ts'
import type { Transport } from './transport.ts'
import { describeFailure, Silence } from './transport-failure.ts'

/** A body that knows how a shell makes the same bytes, so that a report can carry a script instead of the bytes. */
export interface ReproducibleBody {
  readonly bytes: Uint8Array
  readonly shell: string
  /** `sha256:<hex>` of the bytes. */
  readonly digest: string
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>> | HeaderList
  readonly body?: Uint8Array | string | ReproducibleBody
  /** Sends the body piece by piece, without a Content-Length. */
  readonly chunked?: boolean
  /** Closes the connection after so many bytes of the body, all of which Content-Length announces; `Interruption` is thrown. */
  readonly cutAfter?: number
  /** As another client: GET and HEAD on connections over which nothing was written, the others on one of their own. */
  readonly fresh?: boolean
  /** For GET and HEAD: on a socket of its own, and the body of the answer is every byte after the header section. */
  readonly raw?: boolean
  readonly credentials?: RecordedCredentials
  /** An answer 429 with Retry-After is waited for and asked again, unless this is `false`. */
  readonly patient?: boolean
}

/** Sends requests as they are given and records each exchange, with the secrets taken out. */
export interface HttpClient {
  readonly exchanges: readonly Exchange[]
  request(method: string, url: string, options?: RequestOptions): Promise<Answer>
  /** Puts exchanges into the record that were made elsewhere, and on which what follows builds. */
  recall(exchanges: readonly Exchange[]): void
}

export interface HttpClientOptions {
  readonly transport: Transport
  readonly redactor: Redactor
  readonly record: Exchange[]
  readonly signal?: AbortSignal
  /** Looks at each request before it goes out, and may refuse it: nobody makes a client that the journal does not see by forgetting it. */
  readonly observer: Observer | undefined
}

/** While an answer arrives, each further stretch of this many bytes has the time of one request. */
const progressStep = 64 * 1024
/** Larger bodies go out in pieces, so that their progress is seen. */
const streamedFrom = 1024 * 1024
/** RFC 9110, section 10.1.5: who asks. A request that names another User-Agent keeps it. */
const ownName = ['user-agent', 'assay'] as const
const longestRetryAfterSeconds = 30
const mostRetries = 3

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { record, signal } = options
  // Each request that is on its way listens.
  if (signal) setMaxListeners(0, signal)
  return {
    exchanges: record,
    recall: (exchanges) => void record.push(...exchanges),
    async request(method, url, request = {}) {
      for (let attempt = 0; ; attempt += 1) {
        const answer = await exchange(options, method, url, request)
        const again = answer.status === 429 && request.patient !== false && attempt < mostRetries
        const seconds = again ? retryAfter(answer) : undefined
        if (seconds === undefined || seconds > longestRetryAfterSeconds) return answer
        const waited = await pause(seconds * 1000, true, { ...(signal && { signal }) }).catch(() => false)
        if (!waited) return answer
      }
    },
  }
}

/** Seconds, or a date. https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 */
function retryAfter(answer: Answer): number | undefined {
  const value = answer.header('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

async function exchange(
  { transport, redactor, record, signal, observer }: HttpClientOptions,
  method: string,
  url: string,
  options: RequestOptions,
): Promise<Answer> {
  const bytes = bytesOf(options.body)
  const made = typeof options.body === 'object' && 'shell' in options.body ? options.body : undefined
  const headers = listOf(options.headers)
  const body = bytes && { body: bytes, digest: made?.digest ?? sha256(bytes) }
  const told = await observer?.sending({ method, url, headers, ...body })
  const startedAt = new Date().toISOString()
  const start = performance.now()
  const request = {
    method,
    url: redactor.redact(url),
    headers: recordHeaders(redactor, options.chunked ? [...headers, inChunks] : headers),
    ...(body && { body: recordBody(redactor, body.body, headers, body.digest, made?.shell) }),
    ...(options.credentials && { credentials: options.credentials }),
  }
  const keep = (rest: Pick<Exchange, 'response' | 'failure'>) =>
    record.push({
      request,
      ...rest,
      durationMs: Math.round((performance.now() - start) * 10) / 10,
      startedAt,
    })
  try {
    const answer = await send(transport, method, url, signed(headers), bytes, options, signal)
    told?.(answer)
    keep({ response: recordAnswer(redactor, answer) })
    return answer
  } catch (error) {
    if (signal?.aborted) throw new Stopped()
    const failure = redactor.redact(describeFailure(error, transport.timeoutMs))
    keep({ failure })
    if (error instanceof Interruption) throw error
    throw new TargetFailure(`${method} ${redactor.redact(url)}: ${failure}`)
  }
}

async function send(
  transport: Transport,
  method: string,
  url: string,
  headers: HeaderList,
  bytes: Uint8Array | undefined,
  options: RequestOptions,
  outer: AbortSignal | undefined,
): Promise<Answer> {
  const { origin, path } = split(url)
  if (options.raw) return sendBare(transport, { method, url, origin, path, headers }, outer)
  const { dispatcher, done } = connectionFor(transport, origin, method, options)
  const patience = createPatience(transport.timeoutMs, outer)
  const { chunked = false, cutAfter } = options
  const streamed = bytes !== undefined && (chunked || cutAfter !== undefined || bytes.length > streamedFrom)
  const whole = streamed ? Readable.from(pieces(bytes, patience.progressed, cutAfter)) : bytes
  let untilStep = progressStep
  try {
    const {
      status,
      headers: answered,
      body,
    } = await gather(
      dispatcher,
      {
        origin,
        path,
        method: method as Dispatcher.HttpMethod,
        headers: [...headers, ...(streamed && !chunked ? [contentLength(bytes)] : [])].flat(),
        body: whole ?? null,
      },
      {
        begun: patience.over,
        progressed(length) {
          untilStep -= length
          if (length > 0 && untilStep > 0) return
          untilStep = progressStep
          patience.progressed()
        },
      },
    )
    return createAnswer(method, url, status, answered, body)
  } finally {
    patience.end()
    done()
  }
}

function connectionFor(transport: Transport, origin: string, method: string, { fresh }: RequestOptions) {
  const kept = () => {}
  if (!fresh) return { dispatcher: transport.dispatcher(origin), done: kept }
  if (method === 'GET' || method === 'HEAD') return { dispatcher: transport.reading(origin), done: kept }
  const dispatcher = transport.fresh(origin)
  return { dispatcher, done: () => void dispatcher.destroy() }
}

async function sendBare(
  transport: Transport,
  request: { method: string; url: string; origin: string; path: string; headers: HeaderList },
  outer: AbortSignal | undefined,
): Promise<Answer> {
  const patience = createPatience(transport.timeoutMs, outer)
  const controller = new AbortController()
  patience.over((reason) => controller.abort(reason))
  try {
    const { host } = new URL(request.origin)
    const { signal } = controller
    return await sendRaw(await transport.socket(request.origin), request.url, { ...request, host, signal })
  } finally {
    patience.end()
  }
}

/** Is over when nothing worth mentioning happened for `timeoutMs`, or when `outer` is aborted. */
function createPatience(timeoutMs: number, outer: AbortSignal | undefined) {
  let abort: (reason: Error) => void = () => {}
  const timer = setTimeout(() => abort(new Silence()), timeoutMs)
  const stop = () => abort(outer?.reason)
  outer?.addEventListener('abort', stop)
  return {
    over(told: (reason: Error) => void) {
      abort = told
      if (outer?.aborted) stop()
    },
    progressed: () => void timer.refresh(),
    end() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', stop)
    },
  }
}

/** Splits without parsing: the path goes onto the wire exactly as it is written here. */
function split(url: string): { readonly origin: string; readonly path: string } {
  const match = /^(https?:\/\/[^/?#]+)([^#]*)/.exec(url)
  if (!match?.[1]) throw new TypeError(`not an absolute http(s) URL: ${url}`)
  const path = match[2] || '/'
  return { origin: match[1], path: path.startsWith('/') ? path : `/${path}` }
}

async function* pieces(
  bytes: Uint8Array,
  progressed: () => void,
  cutAfter: number = bytes.length,
): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < cutAfter; offset += progressStep) {
    yield bytes.subarray(offset, Math.min(offset + progressStep, cutAfter))
    progressed()
  }
  if (cutAfter < bytes.length) throw new Interruption(cutAfter, bytes.length)
}

/** Node frames a body without a length by itself; the record says so. */
const inChunks = ['transfer-encoding', 'chunked'] as const

const signed = (headers: HeaderList): HeaderList =>
  headers.some(([name]) => name.toLowerCase() === 'user-agent') ? headers : [ownName, ...headers]

const contentLength = (bytes: Uint8Array) => ['content-length', String(bytes.length)] as const

function bytesOf(body: RequestOptions['body']): Uint8Array | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'string') return Buffer.from(body)
  return 'bytes' in body ? body.bytes : body
}

/** Headers as a list of names and values. */
export function listOf(headers: RequestOptions['headers']): HeaderList {
  if (!headers) return []
  return Array.isArray(headers) ? headers : Object.entries(headers as Record<string, string>)
}
