import type { Exchange } from '../../harness/exchange.ts'
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
export function bodyWords({ request }: Exchange, step: number, secrets: Secrets): BodyWords {
  const { body } = request
  if (!sendsBody(request)) return { pipe: '', arguments: [] }
  if (!body || body.size === 0) return { pipe: '', arguments: [`--data-raw ''`] }
  const { text, truncated, size, shell } = body
  const stdin = header(request, 'transfer-encoding') === undefined ? '--data-binary @-' : '-T -'
  if (text !== undefined && !truncated) {
    if (hasPlaceholder(text)) return { pipe: '', arguments: filledIn(request, text, step, secrets) }
    const exact = Buffer.byteLength(text) === size
    if (exact && !text.includes('\0')) return { pipe: '', arguments: [`--data-raw ${quoted(text)}`] }
    if (exact) return { pipe: `${printed(text)} | `, arguments: [stdin] }
  }
  if (shell) return { pipe: `{\n  ${shell}\n} | `, arguments: [stdin] }
  const what = `path of a file with the ${size} bytes of request ${step}${body.digest ? `, ${body.digest}` : ''}`
  return { pipe: `cat ${secrets.need(`BODY_${step}`, what)} | `, arguments: [stdin] }
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
