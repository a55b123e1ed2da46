import type { Exchange, RecordedBody } from '../../harness/exchange.ts'
import { hasPlaceholder } from './placeholders.ts'
import type { Secrets } from './secrets.ts'
import { printed, quoted } from './shell-words.ts'

/** How a script gives curl the body of a request. */
export interface BodyWords {
  /** What writes the body into curl, with its `|`; empty where an argument has it. */
  readonly pipe: string
  /** curl's arguments. */
  readonly arguments: readonly string[]
}

/** Whether a request says that it has a body, be it an empty one. */
export const sendsBody = ({ method, body }: Exchange['request']) =>
  (body?.size ?? 0) > 0 || ['POST', 'PUT', 'PATCH'].includes(method)

/** The body of a request from its text, from the pipeline that makes it, or from a file that the user has to name. */
export function bodyWords({ request, failure }: Exchange, step: number, secrets: Secrets): BodyWords {
  const { body } = request
  if (!sendsBody(request)) return { pipe: '', arguments: [] }
  if (!body || body.size === 0) return { pipe: '', arguments: [`--data-raw ''`] }
  const { text, truncated, size } = body
  if (text !== undefined && !truncated && hasPlaceholder(text)) {
    return { pipe: '', arguments: filledIn(request, text, step, secrets) }
  }
  const cut = cutShort.exec(failure ?? '')
  const exact = text !== undefined && !truncated && Buffer.byteLength(text) === size
  if (exact && !cut && !text.includes('\0')) return { pipe: '', arguments: [`--data-raw ${quoted(text)}`] }
  const source = exact ? printed(text) : sourceOf(body, step, secrets)
  if (cut) {
    const [, sent, announced] = cut
    return {
      pipe: `${source} | head -c ${sent} | `,
      // curl then waits for an answer, and closes the connection in the middle of the body.
      arguments: ['--data-binary @-', `-H 'Content-Length: ${announced}'`, '--max-time 3'],
    }
  }
  const chunked = header(request, 'transfer-encoding') !== undefined
  return { pipe: `${source} | `, arguments: [chunked ? '-T -' : '--data-binary @-'] }
}

/** What the recorder says of a connection that the client closed by intent. */
const cutShort = /on purpose, (\d+) bytes into a body of (\d+)$/

function sourceOf({ shell, size, digest }: RecordedBody, step: number, secrets: Secrets): string {
  if (shell) return `{\n  ${shell}\n}`
  const what = `path of a file with the ${size} bytes of request ${step}${digest ? `, ${digest}` : ''}`
  return `cat ${secrets.need(`BODY_${step}`, what)}`
}

/** A text that secrets were taken out of, with them put in again in the way of its format. */
function filledIn(request: Exchange['request'], text: string, step: number, secrets: Secrets): string[] {
  if (header(request, 'content-type')?.startsWith('application/x-www-form-urlencoded')) {
    return [...new URLSearchParams(text)].map(
      ([name, value]) => `--data-urlencode ${secrets.word(`${name}=${value}`, step)}`,
    )
  }
  return [`--data-raw ${secrets.word(text, step, (variable) => `"$(json ${variable})"`)}`]
}

const header = ({ headers }: Exchange['request'], wanted: string) =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
