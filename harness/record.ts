import type { Answer, HeaderList } from './answer.ts'
import type { Exchange, RecordedBody } from './exchange.ts'
import type { Redactor } from './redactor.ts'
import { sha256 } from './sha256.ts'

/** Longer text is told by its beginning, size and digest. */
const textCap = 4096

/** What a report keeps of an answer. */
export function recordAnswer(
  redactor: Redactor,
  { status, headers, body }: Answer,
): NonNullable<Exchange['response']> {
  return {
    status,
    headers: recordHeaders(redactor, headers),
    ...(body.length > 0 && { body: recordBody(redactor, body, headers) }),
  }
}

/** What a report keeps of a body: text, or size and digest. */
export function recordBody(
  redactor: Redactor,
  bytes: Uint8Array,
  headers: HeaderList,
  digest: string = sha256(bytes),
  shell?: string,
): RecordedBody {
  const told = {
    size: bytes.length,
    digest,
    ...(shell !== undefined && { shell }),
  }
  if (!isText(bytes, headers)) return told
  const text = redactor.redact(Buffer.from(bytes.subarray(0, 4 * textCap)).toString('utf8'))
  const truncated = text.length > textCap || bytes.length > 4 * textCap
  return { ...told, text: text.slice(0, textCap), ...(truncated && { truncated }) }
}

function isText(bytes: Uint8Array, headers: HeaderList): boolean {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (/^application\/octet-stream|gzip|zstd|tar\b/.test(type)) return false
  const start = bytes.subarray(0, 512)
  return !start.includes(0) && !Buffer.from(start).toString('utf8').slice(0, -1).includes('\uFFFD')
}

/** Credentials never reach a report; every other header does without the secrets in it. */
export function recordHeaders(redactor: Redactor, headers: HeaderList): HeaderList {
  return headers.map(([name, value]) => [name, redactHeader(redactor, name, value)] as const)
}

function redactHeader(redactor: Redactor, name: string, value: string): string {
  if (name.toLowerCase() !== 'authorization') return redactor.redact(value)
  const scheme = /^\S+(?=\s)/.exec(value)?.[0]
  return scheme ? `${scheme} [credentials]` : '[credentials]'
}
