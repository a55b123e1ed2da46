import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { clearMessage } from './clear-message.ts'

const graphqlResponse = 'application/graphql-response+json'

/** How much the client wants a media type: the `q` of the Accept header, 0 where it is not named. */
function wish(accept: string, mediaType: string): number {
  const range = accept.split(',').find((part) => part.split(';')[0]?.trim().toLowerCase() === mediaType)
  if (range === undefined) return 0
  return Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1)
}

/** The media type of every answer, which Accept decides and nothing else does. */
function mediaTypeFor({ headers }: Request): string {
  const accept = headers.get('accept') ?? ''
  const [wished, plain] = [wish(accept, graphqlResponse), wish(accept, 'application/json')]
  const first = accept.indexOf(graphqlResponse) < accept.indexOf('application/json') || plain === 0
  return wished > plain || (wished > 0 && wished === plain && first) ? graphqlResponse : 'application/json'
}

function format(error: GraphQLError): GraphQLFormattedError {
  const { http: _http, unexpected: _unexpected, originalError: _original, ...extensions } = error.extensions
  return {
    ...error.toJSON(),
    message: clearMessage(error.message),
    // What graphql itself says of a request has no code; a defect of ours has one from yoga's masking.
    extensions: { code: 'BAD_USER_INPUT', ...extensions },
  }
}

interface HttpRefusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A method or a media type that HTTP itself refuses; every other error is an answer of GraphQL. */
const isHttpRefusal = (http: unknown): http is HttpRefusal =>
  typeof http === 'object' &&
  http !== null &&
  'status' in http &&
  (http.status === 405 || http.status === 415)

interface Result {
  readonly data?: unknown
  readonly errors?: readonly unknown[]
}

const isResult = (value: object): value is Result => 'data' in value || 'errors' in value

function answer(result: object, mediaType: string): Response {
  const { data = null, errors: seen = [] } = isResult(result) ? result : {}
  const errors = seen.map((error) =>
    error instanceof GraphQLError ? error : new GraphQLError('Unexpected error.'),
  )
  const refusal = errors.map(({ extensions }) => extensions['http']).find(isHttpRefusal)
  const body = errors.length > 0 ? { errors: errors.map(format), data } : { data }
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  return new Response(bytes, {
    status: refusal?.status ?? 200,
    headers: {
      ...refusal?.headers,
      'content-type': `${mediaType}; charset=utf-8`,
      'content-length': String(bytes.length),
    },
  })
}

/**
 * Every error is HTTP 200 with `errors`, and `data` is there and null (specification, sections 5.2 and 7), whatever
 * the Accept header asks for. GraphQL over HTTP would answer 400 to some.
 */
export function useAnswer(): Plugin {
  return {
    onResultProcess({ request, setResultProcessor }) {
      const mediaType = mediaTypeFor(request)
      setResultProcessor((result) => answer(result, mediaType), mediaType)
    },
  }
}
