import type { Exchange } from '../harness/exchange.ts'
import { bodyWords, sendsBody } from './reproduce/body.ts'
import { type Link, linkOf } from './reproduce/links.ts'
import * as functions from './reproduce/script-functions.ts'
import { Secrets } from './reproduce/secrets.ts'
import { quoted } from './reproduce/shell-words.ts'
import { type AnsweredValue, answeredValues, withPlaceholders } from './reproduce/values.ts'

export interface ReproduceContext {
  /** The absolute URL of the token service, where requests carried tokens from there. */
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
  const { realm, service, tokenRequest = 'get-basic', usernames = {} } = context
  const tokenService =
    realm === undefined ? undefined : { realm, tokenRequest, ...(service !== undefined && { service }) }
  const secrets = new Secrets(tokenService, usernames)
  const links = exchanges.map((_, index) => linkOf(exchanges, index))
  const values = answeredValues(exchanges)
  const steps = exchanges.map((exchange, index) =>
    [
      ...step(withPlaceholders(exchange, index, values), index, links, secrets),
      ...values.filter(({ from }) => from === index).map(valueLine),
    ].join('\n'),
  )
  const used = [
    functions.send,
    ...(links.some((link) => link) ? [functions.absolute] : []),
    ...(links.some((link) => link?.added) ? [functions.query] : []),
    ...(values.length > 0 ? [functions.value] : []),
    ...(secrets.fetchesTokens ? [functions.tokens[tokenRequest]] : []),
  ]
  const needsJson = [...used, ...steps].some((text) => text.includes('$(json '))
  const count = exchanges.length === 1 ? 'one request' : `${exchanges.length} requests`
  const head = [
    '#!/bin/sh',
    `# Sends ${count} again and shows what comes back. Needs curl.`,
    ...secrets.lines,
    'set -u',
  ]
  return `${[head.join('\n'), ...used, ...(needsJson ? [functions.json] : []), ...steps].join('\n\n')}\n`
}

function step(
  exchange: Exchange,
  index: number,
  links: readonly (Link | undefined)[],
  secrets: Secrets,
): string[] {
  const number = index + 1
  const { request, response } = exchange
  const link = links[index]
  const method = /^[A-Z]+$/.test(request.method) ? request.method : quoted(request.method)
  const url = link ? linkWord(link) : secrets.word(request.url, number)
  const body = bodyWords(exchange, number, secrets)
  const authorisation = secrets.authorisation(exchange, number)
  const words = [
    `send ${number} ${method} ${quoted(saw(exchange))}`,
    request.method === 'HEAD' ? '-I' : `-X ${method}`,
    ...authorisation.arguments,
    ...headers(exchange, number, secrets).map((header) => `-H ${header}`),
    ...body.arguments,
    // What did not answer may not answer again.
    ...(response || body.arguments.some((word) => word.startsWith('--max-time')) ? [] : ['--max-time 60']),
    url,
  ]
  return [...authorisation.before, `${body.pipe}${words.join(' \\\n  ')}`, ...captures(number, url, links)]
}

const saw = ({ response, failure }: Exchange) =>
  [response?.status, failure].filter((part) => part !== undefined).join(', ')

const valueLine = ({ from, key }: AnsweredValue) => `value_${from + 1}_${key}=$(value ${from + 1} ${key})`

function linkWord({ header, from, added }: Link): string {
  const named = `"$url_${header}_${from + 1}"`
  return added ? `"$(query ${named} ${quoted(added.slice(1))})"` : named
}

function captures(number: number, url: string, links: readonly (Link | undefined)[]): string[] {
  const used = new Set(links.flatMap((link) => (link?.from === number - 1 ? [link.header] : [])))
  return [...used].map((header) => {
    const value = `header ${number} ${header}${header === 'link' ? ` | sed 's/^[^<]*<\\([^>]*\\)>.*$/\\1/'` : ''}`
    return `url_${header}_${number}=$(absolute ${url} "$(${value})") || exit 1`
  })
}

/** What curl writes itself, or what only concerned the connection. */
const leftToCurl = new Set(['authorization', 'connection', 'keep-alive'])

function headers({ request }: Exchange, step: number, secrets: Secrets): string[] {
  const host = URL.canParse(request.url) ? new URL(request.url).host : ''
  const sent = request.headers.filter(([name, value]) => {
    const header = name.toLowerCase()
    if (header === 'host') return value !== host
    if (header === 'content-length') return value !== String(request.body?.size ?? 0)
    return !leftToCurl.has(header)
  })
  const words = sent.map(([name, value]) =>
    secrets.word(value === '' ? `${name};` : `${name}: ${value}`, step),
  )
  const hasType = sent.some(([name]) => name.toLowerCase() === 'content-type')
  return hasType || !sendsBody(request) ? words : [...words, quoted('Content-Type:')]
}
