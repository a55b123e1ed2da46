import type { Exchange, RecordedBody } from '../harness/exchange.ts'
import { bytes, duration } from './words.ts'

/** `PUT http://… → 201 in 3 ms`: an exchange in one line. */
export function exchangeLine({ request, response, failure, durationMs }: Exchange): string {
  const outcome = [response?.status, failure].filter((part) => part !== undefined).join(', ')
  return `${request.method} ${request.url} → ${outcome} (${duration(durationMs)})`
}

/** The request as lines of HTTP, the body at the end. */
export function requestText({ request }: Exchange): string {
  return message(`${request.method} ${request.url}`, request.headers, request.body)
}

/** The answer as lines of HTTP, and what went wrong with it. */
export function responseText({ response, failure }: Exchange): string {
  const answered = response ? message(String(response.status), response.headers, response.body) : ''
  return [answered, failure && `(${failure})`].filter(Boolean).join('\n')
}

/** A body as text, or what is known of one that is not here. */
export function bodyText({ text, truncated, size, digest }: RecordedBody): string {
  const whole = [bytes(size), ...(digest ? [digest] : [])].join(', ')
  if (text === undefined) return size === 0 ? '' : `(${whole})`
  return truncated ? `${text}\n… (the beginning of ${whole})` : text
}

function message(
  start: string,
  headers: Exchange['request']['headers'],
  body: RecordedBody | undefined,
): string {
  const head = [start, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n')
  const content = body ? bodyText(body) : ''
  return content === '' ? head : `${head}\n\n${content}`
}
