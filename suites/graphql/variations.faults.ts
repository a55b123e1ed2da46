import { type Variation, withholding } from '../../harness/fault.ts'
import { rewriting, withHeaders } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { isObject, type JsonObject } from './answers.ts'
import { batching, getting, posting } from './offered.faults.ts'
import {
  isTurnedAway,
  misstating,
  posing,
  relisting,
  replying,
  rewording,
  type Wire,
  withTypeNames,
} from './wire.ts'

const variation = (id: string, what: string, graphql: NonNullable<Seams['graphql']>): Variation<Seams> => ({
  id,
  what,
  seams: { graphql },
})

const everything = () => true
const headers = (given: Readonly<Record<string, string | null>>) =>
  rewriting(everything, (response) => withHeaders(response, given))

/** The same JSON in another spelling. */
const respelling = (change: (body: JsonObject) => string) =>
  rewording((body) => new Response(change(body), { headers: { 'content-type': 'application/json' } }))

async function crumbs(response: Response, size: number): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (let at = 0; at < bytes.length; at += size) {
        controller.enqueue(bytes.subarray(at, at + size))
        await new Promise(setImmediate)
      }
      controller.close()
    },
  })
  return withHeaders(new Response(body, response), { 'content-length': null })
}

const validOnly = (change: (error: JsonObject) => unknown) =>
  rewording((body) => {
    const { errors } = body as { readonly errors?: unknown }
    return Array.isArray(errors) && !isTurnedAway(body) ? { ...body, errors: errors.map(change) } : undefined
  })

/** Serves the forms of an HTML page as JSON, for whoever shows a token. */
const formed =
  (next: Wire): Wire =>
  async (request, context) => {
    const type = request.headers.get('content-type') ?? ''
    if (!type.startsWith('application/x-www-form-urlencoded') || !request.headers.has('authorization')) {
      return next(request, context)
    }
    const form = new URLSearchParams(await request.text())
    return posting(next, request, { query: form.get('query') ?? '' })
  }

export const variations = [
  variation(
    'graphql.variation.extensions',
    'answers have extensions',
    rewording((body) => ({ ...body, extensions: { tracing: { duration: 1 } } })),
  ),
  variation(
    'graphql.variation.extensions-first',
    'extensions come before data',
    rewording((body) => ({ extensions: {}, ...body })),
  ),
  variation(
    'graphql.variation.other-order',
    'errors come before data, or after it',
    rewording((body) => Object.fromEntries(Object.entries(body).reverse())),
  ),
  variation(
    'graphql.variation.pretty',
    'answers are indented',
    respelling((body) => `${JSON.stringify(body, null, 2)}\n`),
  ),
  variation(
    'graphql.variation.escaped',
    'text outside ASCII is escaped in answers',
    respelling((body) =>
      JSON.stringify(body).replace(
        /[^\x20-\x7e]/g,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ),
  ),
  variation(
    'graphql.variation.charset',
    'answers name their charset',
    headers({ 'content-type': 'application/json; charset=utf-8' }),
  ),
  variation(
    'graphql.variation.charset-capitals',
    'the media type of answers is in capitals',
    headers({ 'content-type': 'Application/JSON;charset=UTF-8' }),
  ),
  variation(
    'graphql.variation.chunked',
    'answers do not tell their length',
    replying((response) => crumbs(response, 1 << 16)),
  ),
  variation(
    'graphql.variation.crumbs',
    'answers come in crumbs',
    replying((response) => crumbs(response, 64)),
  ),
  variation(
    'graphql.variation.slow',
    'every answer takes a little longer',
    (next: Wire) => async (request, context) => {
      await new Promise((resolve) => setTimeout(resolve, 3))
      return next(request, context)
    },
  ),
  variation(
    'graphql.variation.closing',
    'every connection is closed after one answer',
    headers({ connection: 'close' }),
  ),
  variation(
    'graphql.variation.more-headers',
    'answers carry headers of proxies and caches',
    headers({
      'cache-control': 'private, no-store',
      vary: 'Accept',
      'x-request-id': 'f00d',
      via: '1.1 edge',
    }),
  ),
  variation(
    'graphql.variation.cors-closed',
    'no origin is allowed',
    headers({ 'access-control-allow-origin': null, 'access-control-allow-credentials': null }),
  ),
  variation(
    'graphql.variation.cors-open',
    'every origin is allowed, without credentials',
    headers({ 'access-control-allow-origin': '*', 'access-control-allow-credentials': null }),
  ),
  variation(
    'graphql.variation.busy-once',
    'every twentieth request is answered with 429 once',
    (next: Wire) => {
      let asked = 0
      return (request, context) => {
        asked += 1
        return asked % 20 === 0
          ? Response.json(
              { errors: [{ message: 'Too many requests' }] },
              { status: 429, headers: { 'retry-after': '0' } },
            )
          : next(request, context)
      }
    },
  ),
  variation('graphql.variation.type-names', 'types have other names', (next: Wire) =>
    rewording((body) => withTypeNames(body, (name) => `Platform_${name}`))(
      posing(({ text }) => ({ text: text.replaceAll('Platform_', '') }))(next),
    ),
  ),
  variation(
    'graphql.variation.list-reversed',
    'projects come in another order',
    relisting((entries) => [...entries].reverse()),
  ),
  variation(
    'graphql.variation.error-codes',
    'errors have further members in their extensions',
    misstating((error) => ({
      ...error,
      extensions: {
        ...(isObject(error['extensions']) ? error['extensions'] : {}),
        requestId: 'f00d',
        timestamp: 0,
      },
    })),
  ),
  withholding(
    variation(
      'graphql.variation.no-error-extensions',
      'errors of documents have no extensions',
      validOnly(({ extensions: _, ...error }) => error),
    ),
  ),
  variation(
    'graphql.variation.other-words',
    'errors of documents have other messages',
    validOnly((error) => ({ ...error, message: 'Bad request' })),
  ),
  variation(
    'graphql.variation.several-errors',
    'what is wrong with a document is told twice',
    rewording((body) => {
      const { errors } = body as { readonly errors?: unknown }
      return Array.isArray(errors) ? { ...body, errors: [...errors, ...errors] } : undefined
    }),
  ),
  variation(
    'graphql.variation.batches',
    'arrays of requests are served',
    batching((answers) => answers),
  ),
  variation(
    'graphql.variation.get',
    'queries by GET are served',
    getting((parameters) => ({
      query: parameters.get('query') ?? '',
      variables: JSON.parse(parameters.get('variables') ?? '{}'),
    })),
  ),
  variation('graphql.variation.forms', 'forms are served for a token', formed),
  variation(
    'graphql.variation.media-type-415',
    'a body that is not JSON is refused with 415',
    replying((response, { method, headers: sent }) =>
      method === 'POST' && !/json|form-data/.test(sent.get('content-type') ?? '')
        ? new Response('Unsupported Media Type\n', { status: 415, headers: { 'content-type': 'text/plain' } })
        : response,
    ),
  ),
  variation(
    'graphql.variation.methods-405',
    'other methods than POST are refused with 405',
    replying((response, { method }) =>
      ['PUT', 'PATCH', 'DELETE', 'GET'].includes(method)
        ? new Response(null, { status: 405, headers: { allow: 'OPTIONS, POST' } })
        : response,
    ),
  ),
  variation(
    'graphql.variation.too-large-413',
    'a body of more than a megabyte is refused with 413',
    (next: Wire) => async (request, context) => {
      const text = await request.clone().text()
      return text.length > 1e6 ? new Response(null, { status: 413 }) : next(request, context)
    },
  ),
]
