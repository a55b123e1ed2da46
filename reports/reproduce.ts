import type { Exchange } from '../harness/exchange.ts'
import { type Link, linkOf } from './reproduce/links.ts'
import * as functions from './reproduce/script-functions.ts'
import { Secrets } from './reproduce/secrets.ts'
import { printed, quoted } from './reproduce/shell-words.ts'

export interface ReproduceContext {
  /** The URL of the token service, where requests carried tokens from there. */
  readonly realm?: string
  readonly service?: string
  /** How the target's token service was asked; `get-basic` unless told. */
  readonly tokenRequest?: functions.TokenRequest
  /** The username of an account, where it is not the account's own name. */
  readonly usernames?: Readonly<Record<string, string>>
}

/**
 * A POSIX shell script that sends the requests of these exchanges again, in their order, and shows each answer.
 * It names the secrets that it needs in its first lines, gets tokens itself, and takes a URL that an answer named from
 * the new answer. Empty where nothing was sent.
 */
export function reproduce(exchanges: readonly Exchange[], context: ReproduceContext): string {
  if (exchanges.length === 0) return ''
  const { realm, service = '', tokenRequest = 'get-basic', usernames = {} } = context
  const secrets = new Secrets(realm !== undefined, usernames)
  const links = exchanges.map((_, index) => linkOf(exchanges, index))
  const steps = exchanges.flatMap((exchange, index) => ['', ...step(exchange, index, links, secrets)])
  const realmLines = secrets.fetchesTokens
    ? [`REALM=${quoted(realm ?? '')}`, `SERVICE=${quoted(service)}`]
    : []
  return [
    '#!/bin/sh',
    `# Sends ${exchanges.length === 1 ? 'one request' : `${exchanges.length} requests`} again and shows what comes back. Needs curl.`,
    ...secrets.lines,
    ...realmLines,
    'set -u',
    '',
    functions.send,
    ...(secrets.fetchesTokens ? ['', functions.token[tokenRequest]] : []),
    ...(links.some((link) => link) ? ['', functions.absolute] : []),
    ...(links.some((link) => link?.added) ? ['', functions.query] : []),
    ...steps,
    '',
  ].join('\n')
}

function step(
  exchange: Exchange,
  index: number,
  links: readonly (Link | undefined)[],
  secrets: Secrets,
): string[] {
  const number = index + 1
  const { request, response, failure } = exchange
  const saw = [...(response ? [String(response.status)] : []), ...(failure ? [failure] : [])].join(', ')
  const url = urlWord(request.url, links[index])
  const body = bodyOf(exchange, number, secrets)
  const credentials = secrets.credentials(exchange, number)
  const words = [
    `send ${number} ${quoted(`${request.method} ${request.url} (the run saw: ${saw})`.replaceAll(/\s/g, ' '))}`,
    request.method === 'HEAD' ? '-I' : `-X ${quoted(request.method)}`,
    credentials.arguments.join(' '),
    ...headers(exchange).map((header) => `-H ${header}`),
    ...body.arguments,
    ...(response ? [] : ['--max-time 60']),
    url,
  ]
  return [
    ...credentials.before,
    `${body.pipe}${words.filter((word) => word !== '').join(' \\\n  ')}`,
    ...captures(number, url, links),
  ]
}

function urlWord(url: string, link: Link | undefined): string {
  if (!link) return quoted(url)
  const named = `"$url_${link.header}_${link.from + 1}"`
  return link.added ? `"$(query ${named} ${quoted(link.added.slice(1))})"` : named
}

function captures(number: number, url: string, links: readonly (Link | undefined)[]): string[] {
  const headersUsed = new Set(links.filter((link) => link?.from === number - 1).map((link) => link?.header))
  return [...headersUsed].map((header) => {
    const value = `header ${number} ${header}${header === 'link' ? ` | sed 's/^[^<]*<\\([^>]*\\)>.*$/\\1/'` : ''}`
    return `url_${header}_${number}=$(absolute ${url} "$(${value})") || exit 1`
  })
}

/** What curl writes itself, or what only concerned the connection. */
const leftToCurl = new Set(['authorization', 'connection', 'keep-alive', 'user-agent'])

function headers({ request }: Exchange): string[] {
  const host = URL.canParse(request.url) ? new URL(request.url).host : ''
  const sent = request.headers.filter(([name, value]) => {
    const header = name.toLowerCase()
    if (header === 'host') return value !== host
    if (header === 'content-length') return value !== String(request.body?.size ?? 0)
    return !leftToCurl.has(header)
  })
  const named = sent.map(([name, value]) => quoted(value === '' ? `${name};` : `${name}: ${value}`))
  const hasType = sent.some(([name]) => name.toLowerCase() === 'content-type')
  return hasType || !sendsBody(request) ? named : [...named, quoted('Content-Type:')]
}

const sendsBody = ({ method, body }: Exchange['request']) =>
  (body?.size ?? 0) > 0 || ['POST', 'PUT', 'PATCH'].includes(method)

function bodyOf(
  { request }: Exchange,
  number: number,
  secrets: Secrets,
): { pipe: string; arguments: string[] } {
  const { body } = request
  if (!sendsBody(request)) return { pipe: '', arguments: [] }
  if (!body || body.size === 0) return { pipe: '', arguments: [`--data-raw ''`] }
  const whole = body.text !== undefined && !body.truncated && Buffer.byteLength(body.text) === body.size
  if (whole && body.text !== undefined && !body.text.includes('\0')) {
    return { pipe: '', arguments: [`--data-raw ${quoted(body.text)}`] }
  }
  const chunked = request.headers.some(([name]) => name.toLowerCase() === 'transfer-encoding')
  const stdin = chunked ? '-T -' : '--data-binary @-'
  if (body.shell) return { pipe: `{\n  ${body.shell}\n} | `, arguments: [stdin] }
  if (whole && body.text !== undefined) return { pipe: `${printed(body.text)} | `, arguments: [stdin] }
  const what = `path of a file with the ${body.size} bytes of request ${number}${body.digest ? `, ${body.digest}` : ''}`
  return { pipe: `cat ${secrets.need(`BODY_${number}`, what)} | `, arguments: [stdin] }
}
