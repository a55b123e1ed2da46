import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type Dispatcher, errors } from 'undici'
import { type Answer, createAnswer, type HeaderList, headerList } from './answer.ts'
import { Interruption, Stopped, TargetFailure } from './errors.ts'
import type { Exchange, RecordedCredentials } from './exchange.ts'
import type { Observer } from './journal/observer.ts'
import { sendRaw } from './raw-http.ts'
import { recordAnswer, recordBody, recordHeaders } from './record.ts'
import type { Redactor } from './redactor.ts'
import type { Transport } from './transport.ts'
import { describeFailure, Silence } from './transport-failure.ts'

/** A body that knows how a shell makes the same bytes, so that a report can carry a script instead of the bytes. */
export interface ReproducibleBody {
  readonly bytes: Uint8Array
  readonly shell: string
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>> | HeaderList
  readonly body?: Uint8Array | string | ReproducibleBody
  /** Sends the body piece by piece, without a Content-Length. */
  readonly chunked?: boolean
  /** Closes the connection after so many bytes of the body, all of which Content-Length announces; `Interruption` is thrown. */
  readonly cutAfter?: number
  /** A connection of its own, closed afterwards: what another client would see. */
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
  const headers = listOf(options.headers)
  const told = await observer?.sending({ method, url, headers, ...(bytes && { body: bytes }) })
  const startedAt = new Date().toISOString()
  const start = performance.now()
  const shell = typeof options.body === 'object' && 'shell' in options.body ? options.body.shell : undefined
  const request = {
    method,
    url: redactor.redact(url),
    headers: recordHeaders(redactor, options.chunked ? [...headers, inChunks] : headers),
    ...(bytes && { body: recordBody(redactor, bytes, headers, shell) }),
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
  const dispatcher = options.fresh ? transport.fresh(origin) : transport.dispatcher(origin)
  const patience = createPatience(transport.timeoutMs)
  const { chunked = false, cutAfter } = options
  const streamed = bytes !== undefined && (chunked || cutAfter !== undefined || bytes.length > streamedFrom)
  const signal = outer ? AbortSignal.any([outer, patience.signal]) : patience.signal
  try {
    const response: Dispatcher.ResponseData = await dispatcher.request({
      origin,
      path,
      method: method as Dispatcher.HttpMethod,
      headers: [...headers, ...(streamed && !chunked ? [contentLength(bytes)] : [])].flat(),
      body:
        bytes === undefined
          ? null
          : streamed
            ? Readable.from(pieces(bytes, patience.progressed, cutAfter))
            : bytes,
      signal,
      responseHeaders: 'raw',
    })
    patience.progressed()
    const body = await read(response, patience.progressed)
    return createAnswer(method, url, response.statusCode, headerList(response.headers), body)
  } finally {
    patience.end()
    if (options.fresh) void dispatcher.destroy()
  }
}

async function read({ statusCode, body }: Dispatcher.ResponseData, progressed: () => void): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let untilStep = progressStep
  try {
    for await (const part of body) {
      parts.push(part)
      untilStep -= part.length
      if (untilStep > 0) continue
      untilStep = progressStep
      progressed()
    }
  } catch (error) {
    // A 304 may tell the length of what it leaves out, and undici waits for it: RFC 9110, section 8.6.
    if (statusCode !== 304 || !(error instanceof errors.ResponseContentLengthMismatchError)) throw error
  }
  return Buffer.concat(parts)
}

async function sendBare(
  transport: Transport,
  request: { method: string; url: string; origin: string; path: string; headers: HeaderList },
  outer: AbortSignal | undefined,
): Promise<Answer> {
  const patience = createPatience(transport.timeoutMs)
  const signal = outer ? AbortSignal.any([outer, patience.signal]) : patience.signal
  try {
    const { host } = new URL(request.origin)
    return await sendRaw(await transport.socket(request.origin), request.url, { ...request, host, signal })
  } finally {
    patience.end()
  }
}

/** Aborts when nothing worth mentioning happened for `timeoutMs`. */
function createPatience(timeoutMs: number) {
  const controller = new AbortController()
  const run = () => setTimeout(() => controller.abort(new Silence()), timeoutMs)
  let timer = run()
  return {
    signal: controller.signal,
    progressed() {
      clearTimeout(timer)
      timer = run()
    },
    end: () => clearTimeout(timer),
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
