import { faultKinds } from '../../harness/fault-kinds.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { isObject } from './answers.ts'
import { isTurnedAway, rewording, type Wire } from './wire.ts'

const { corruption, interoperability, security } = faultKinds<Seams>()

const batch = ['graphql.batch']
const form = ['graphql.content-type.form']
const get = ['graphql.method.get-query']
const typename = ['graphql.auth.missing.typename']

interface Served {
  readonly query: string
  readonly variables?: unknown
}

/** Sends a query on as the POST that the service knows. */
export async function posting(next: Wire, request: Request, asked: Served): Promise<Response> {
  const { origin, pathname } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  headers.set('content-type', 'application/json')
  return next(new Request(origin + pathname, { method: 'POST', headers, body: JSON.stringify(asked) }), {})
}

/** Serves arrays of requests, and changes the array of answers. */
export const batching =
  (change: (answers: readonly unknown[]) => unknown, status = 200) =>
  (next: Wire): Wire =>
  async (request, context) => {
    const text = request.method === 'POST' ? await request.clone().text() : ''
    if (!text.startsWith('[') || !request.headers.has('authorization')) return next(request, context)
    const asked = JSON.parse(text) as readonly Served[]
    const answers = await Promise.all(asked.map(async (one) => (await posting(next, request, one)).json()))
    const body = change(answers)
    return typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status })
  }

/** Serves queries by GET. */
export const getting =
  (read: (parameters: URLSearchParams) => Served) =>
  (next: Wire): Wire =>
  (request, context) => {
    const { searchParams } = new URL(request.url)
    const isQuery = request.method === 'GET' && /^query/.test(searchParams.get('query') ?? '')
    return isQuery ? posting(next, request, read(searchParams)) : next(request, context)
  }

const variablesOf = (parameters: URLSearchParams) => JSON.parse(parameters.get('variables') ?? '{}')

/** Takes the cookie of a page for a token, where the body is a form. */
const byCookie =
  (next: Wire): Wire =>
  async (request, context) => {
    const token = /token=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1]
    if (!token || !/form/.test(request.headers.get('content-type') ?? '')) return next(request, context)
    const headers = new Headers(request.headers)
    headers.set('authorization', `Bearer ${token}`)
    return next(new Request(request.url, { method: request.method, headers, body: await request.text() }), {})
  }

/** Answers __typename to whoever asks. */
const naming = (data: unknown) =>
  rewording((body, { text }) =>
    isTurnedAway(body) && /^\{"query":"\{ __typename \}"/.test(text) ? { data } : undefined,
  )

export const faults = [
  corruption('graphql.batch.reversed', 'an array of requests is answered from the last to the first', batch, {
    graphql: batching((answers) => [...answers].reverse()),
  }),
  corruption('graphql.batch.cut', 'an array of requests is answered without its last', batch, {
    graphql: batching((answers) => answers.slice(0, -1)),
  }),
  interoperability('graphql.batch.merged', 'an array of requests is answered with one object', batch, {
    graphql: batching((answers) => ({
      data: Object.assign({}, ...answers.map((answer) => (isObject(answer) ? answer['data'] : {}))),
    })),
  }),
  interoperability('graphql.batch.207', 'an array of requests is answered with 207', batch, {
    graphql: batching((answers) => answers, 207),
  }),
  interoperability(
    'graphql.batch.lines',
    'an array of requests is answered with a line of JSON for each',
    batch,
    {
      graphql: batching((answers) => answers.map((answer) => JSON.stringify(answer)).join('\n')),
    },
  ),
  interoperability('graphql.method.get-no-variables', 'a query by GET is served without its variables', get, {
    graphql: getting((parameters) => ({
      query: parameters.get('query')?.replace(/\(.*?\)|@include\(.*?\)/g, '') ?? '',
    })),
  }),
  interoperability(
    'graphql.method.get-variables-false',
    'the variables of a query by GET are all false',
    get,
    { graphql: getting((parameters) => ({ query: parameters.get('query') ?? '', variables: { a: false } })) },
  ),
  interoperability('graphql.method.get-variables-true', 'the variables of a query by GET are all true', get, {
    graphql: getting((parameters) => ({ query: parameters.get('query') ?? '', variables: { a: true } })),
  }),
  corruption('graphql.method.get-empty', 'a query by GET gets null for its list', get, {
    graphql: (next) =>
      getting((parameters) => ({ query: parameters.get('query') ?? '', variables: variablesOf(parameters) }))(
        rewording((body, { text }) =>
          text.includes('@include') && isObject(body['data'])
            ? { data: { projects: { data: null } } }
            : undefined,
        )(next),
      ),
  }),
  security('graphql.content-type.form-by-cookie', 'a form is served for a cookie alone', form, {
    graphql: byCookie,
  }),
  interoperability('graphql.content-type.form-null', 'a form is answered with data that has no list', form, {
    graphql: (next) => async (request, context) =>
      /form/.test(request.headers.get('content-type') ?? '') && request.headers.has('authorization')
        ? Response.json({ data: { projects: {} } })
        : next(request, context),
  }),
  security(
    'graphql.auth.typename-and-more',
    'a request for __typename without a token is answered with the name of the service too',
    typename,
    { graphql: naming({ __typename: 'Query', service: 'api' }) },
  ),
  interoperability(
    'graphql.auth.typename-number',
    'a request for __typename without a token is answered with a number',
    typename,
    { graphql: naming({ __typename: 1 }) },
  ),
  interoperability(
    'graphql.auth.typename-forbidden',
    'a request for __typename without a token is refused as forbidden',
    typename,
    {
      graphql: rewording((body, { text }) =>
        isTurnedAway(body) && text.includes('__typename')
          ? { errors: [{ message: 'Forbidden', extensions: { code: 'FORBIDDEN' } }], data: null }
          : undefined,
      ),
    },
  ),
  interoperability('graphql.batch.one-more', 'an array of requests is answered with one answer more', batch, {
    graphql: batching((answers) => [...answers, { data: null }]),
  }),
]
