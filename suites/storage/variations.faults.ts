import { setTimeout } from 'node:timers/promises'
import { type Variation, withholding } from '../../harness/fault.ts'
import { answering, rewriting, to, withBody, withHeaders, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import {
  addingWith,
  changing,
  excusing,
  inPieces,
  type Line,
  queryOf,
  rpc,
  type Seam,
  telling,
} from './seams.faults.ts'

const { add, cat, id, pinAdd, pinLs, pinRm, gc, stat } = rpc
const everything = /\/api\/v0\//
const reading = [cat, id, stat]

const variation = (id: string, what: string, storage: Seam): Variation<Seams> => ({
  id,
  what,
  seams: { storage },
})

/** Several changes at once, the first outermost. */
const all =
  (...seams: readonly Seam[]): Seam =>
  (next) =>
    seams.reduceRight((inner, seam) => seam(inner), next)

const headers = (given: Readonly<Record<string, string | null>>): Seam =>
  rewriting(to('*', everything), (response) => withHeaders(response, given))

/** Commands that answer JSON. */
const inJson = [add, id, stat, pinAdd]

const rephrasing = (change: (line: Line) => unknown): Seam =>
  all(...inJson.map((where) => telling(where, change)))

/** The same JSON, written in another way. */
const respelling = (write: (text: string) => string): Seam =>
  all(
    ...inJson.map((where) =>
      changing(where, (response) => withBody(response, (bytes) => write(Buffer.from(bytes).toString()))),
    ),
  )

const refusedMethod = (allow: string) => () => new Response('405\n', { status: 405, headers: { allow } })
const noSuchCommand = () => new Response('404 page not found\n', { status: 404 })

/** What is not here is looked for until the time is up that the caller gives, or three seconds. */
const searching: Seam = (next) => async (request, context) => {
  const answer = await next(request, context)
  if (answer.status !== 500 || queryOf(request).get('offline') === 'true') return answer
  const text = await answer.clone().text()
  if (!text.includes('not found locally')) return answer
  await setTimeout(1000 * Number.parseFloat(queryOf(request).get('timeout') ?? '3'))
  return withBody(answer, () => text.replace(/block was not found[^"]*/, 'context deadline exceeded'))
}

export const variations = [
  variation(
    'storage.variation.headers',
    'answers carry headers of a proxy, and another Server',
    headers({
      server: 'nginx',
      via: '1.1 cache',
      'x-cache': 'MISS',
      age: '0',
      vary: 'Accept-Encoding, Origin',
    }),
  ),
  variation(
    'storage.variation.no-own-headers',
    'answers carry no headers of Kubo, and announce no trailer',
    headers({
      'x-content-length': null,
      'x-stream-output': null,
      'x-chunked-output': null,
      trailer: null,
      server: null,
    }),
  ),
  variation(
    'storage.variation.closed',
    'each connection is closed after one answer',
    headers({ connection: 'close' }),
  ),
  variation(
    'storage.variation.pieces',
    'answers come in pieces of a few thousand bytes, without Content-Length',
    rewriting(to('*', everything), (response) => inPieces(response, 5000)),
  ),
  variation(
    'storage.variation.with-length',
    'answers carry a Content-Length, and no trailer',
    rewriting(to('*', everything), (response) =>
      response.body === null ? response : withBody(response, (bytes) => bytes),
    ),
  ),
  variation('storage.variation.slow', 'every answer takes a while', (next) => async (request, context) => {
    await setTimeout(15)
    return next(request, context)
  }),
  variation(
    'storage.variation.more-members',
    'JSON has members that nobody asked for',
    rephrasing((line) => ({ ...line, Mode: '0644', Extra: { nested: [1, null] } })),
  ),
  variation(
    'storage.variation.other-order',
    'JSON has its members in another order',
    rephrasing((line) => Object.fromEntries(Object.entries(line).reverse())),
  ),
  variation(
    'storage.variation.spaced',
    'JSON has spaces in it, escapes that it needs not, and line ends of two bytes',
    respelling((text) =>
      text.replaceAll('":', '" : ').replaceAll('"Hash"', '"\\u0048ash"').replaceAll('\n', '\r\n'),
    ),
  ),
  variation(
    'storage.variation.no-last-line-end',
    'the last line has no line end',
    respelling((text) => text.trimEnd()),
  ),
  variation(
    'storage.variation.progress',
    'add tells its progress in lines of their own',
    changing(add, (response) =>
      withBody(response, (bytes) => `{"Name":"blob","Bytes":0}\n${Buffer.from(bytes).toString()}`),
    ),
  ),
  variation(
    'storage.variation.charset',
    'JSON is labelled with a charset, and content as application/octet-stream',
    all(
      rewriting(to('*', everything), (response) =>
        response.headers.get('content-type') === 'application/json'
          ? withHeaders(response, { 'content-type': 'application/json; charset=utf-8' })
          : response,
      ),
      changing(cat, (response) => withHeaders(response, { 'content-type': 'application/octet-stream' })),
    ),
  ),
  variation(
    'storage.variation.post-only',
    'GET is refused for every command, as Kubo does',
    answering(to('GET', everything), refusedMethod('OPTIONS, POST')),
  ),
  withholding(
    variation(
      'storage.variation.get-only',
      'what reads answers to GET alone, as the specification writes it',
      (next) => (request, context) => {
        const refused = request.method === 'POST' && reading.some((where) => to('POST', where)(request))
        // The registry next to it speaks to the node that it has.
        return refused && context.req ? refusedMethod('GET, HEAD')() : next(request, context)
      },
    ),
  ),
  variation(
    'storage.variation.error-texts',
    'errors are worded as in another version',
    excusing(everything, (response) =>
      withBody(response, (bytes) =>
        Buffer.from(bytes)
          .toString()
          .replace(/"Message":"[^"]*"/, '"Message":"merkledag: not found"'),
      ),
    ),
  ),
  variation(
    'storage.variation.error-plain',
    'errors are plain text',
    excusing(everything, (response) =>
      withHeaders(new Response('something is wrong\n', { status: response.status }), {
        'content-type': 'text/plain',
        allow: response.headers.get('allow'),
      }),
    ),
  ),
  variation(
    'storage.variation.error-404',
    'what is not there answers 404, and what is malformed 400',
    (next) => async (request, context) => {
      const answer = await next(request, context)
      if (answer.status !== 500) return answer
      const missing = (await answer.clone().text()).includes('not found')
      return withStatus(answer, missing ? 404 : 400)
    },
  ),
  variation('storage.variation.searching', 'the node looks for what it does not have', searching),
  variation(
    'storage.variation.version-1',
    'the default is CIDv1 with raw leaves',
    addingWith({ 'cid-version': '1' }),
  ),
  variation(
    'storage.variation.base36',
    'CIDs are told in base36',
    addingWith({ 'cid-version': '1', 'cid-base': 'base36' }),
  ),
  variation(
    'storage.variation.large-blocks',
    'the default is blocks of 1 MiB',
    addingWith({ chunker: 'size-1048576' }),
  ),
  variation(
    'storage.variation.pins-in-lines',
    'pin/ls answers in lines, one for each pin',
    changing(pinLs, (response) =>
      withBody(response, (bytes) => {
        const { Keys = {} } = JSON.parse(Buffer.from(bytes).toString()) as {
          readonly Keys?: Readonly<Record<string, Line>>
        }
        return Object.entries(Keys)
          .map(([Cid, pin]) => `${JSON.stringify({ ...pin, Cid })}\n`)
          .join('')
      }),
    ),
  ),
  withholding(
    variation('storage.variation.no-pin-list', 'pins can be neither listed nor removed', (next) => {
      const removing = answering(to('*', pinRm), noSuchCommand)(next)
      return answering(to('*', pinLs), noSuchCommand)(removing)
    }),
  ),
  withholding(
    variation(
      'storage.variation.no-gc',
      'the node does not collect when it is told to',
      answering(to('*', gc), noSuchCommand),
    ),
  ),
  variation(
    'storage.variation.gc-late',
    'a collection begins after a while',
    (next) => async (request, context) => {
      if (to('*', gc)(request)) await setTimeout(300)
      return next(request, context)
    },
  ),
  variation(
    'storage.variation.gc-lists',
    'a collection lists what it took in one array',
    changing(gc, (response) =>
      withBody(response, (bytes) =>
        JSON.stringify(
          Buffer.from(bytes)
            .toString()
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line)),
        ),
      ),
    ),
  ),
]
