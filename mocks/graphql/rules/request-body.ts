import { GraphQLError } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { platformError, refusedByHttp } from '../errors.ts'

const badRequest = (message: string) => platformError(message, 'BAD_REQUEST')

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest(`${what} is not valid JSON`)
  }
}

/** The four fields as a form or a query string carries them, where an empty one counts as absent. */
function fromFields(fields: URLSearchParams): unknown {
  const json = (name: string) => {
    const text = fields.get(name)
    return text ? parseJson(text, `The field "${name}"`) : undefined
  }
  return {
    query: fields.get('query') ?? undefined,
    operationName: fields.get('operationName') || undefined,
    variables: json('variables'),
    extensions: json('extensions'),
  }
}

/** https://github.com/jaydenseric/graphql-multipart-request-spec, without files: no operation here takes one. */
async function fromMultipart(request: Request): Promise<unknown> {
  const form = await request.formData().catch((error: unknown) => {
    throw error instanceof GraphQLError ? error : badRequest('The multipart body cannot be read')
  })
  const operations = form.get('operations')
  if (typeof operations !== 'string') throw badRequest('The multipart field "operations" is missing')
  const map = form.get('map') ?? '{}'
  const files = parseJson(typeof map === 'string' ? map : '', 'The multipart field "map"')
  if (typeof files !== 'object' || files === null || Object.keys(files).length > 0) {
    throw badRequest('No operation takes a file: the multipart field "map" must be {}')
  }
  return parseJson(operations, 'The multipart field "operations"')
}

const readers: Readonly<Record<string, (request: Request) => Promise<unknown>>> = {
  'application/json': async (request) => parseJson(await request.text(), 'The body'),
  'application/graphql': async (request) => ({ query: await request.text() }),
  'application/x-www-form-urlencoded': async (request) =>
    fromFields(new URLSearchParams(await request.text())),
  'multipart/form-data': fromMultipart,
}

const accepted = Object.keys(readers).join(', ')

function readerFor(request: Request) {
  if (request.method === 'GET') return async ({ url }: Request) => fromFields(new URL(url).searchParams)
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined
  if (!reader) {
    throw refusedByHttp(`The body must be one of ${accepted}`, 415, { 'Accept-Post': accepted })
  }
  return reader
}

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : `of type ${typeof value}`

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function member<T>(body: Record<string, unknown>, name: string, what: string, is: (v: unknown) => v is T) {
  const value = body[name] ?? undefined
  if (value === undefined || is(value)) return value
  throw badRequest(`"${name}" must be ${what}, but it is ${kindOf(value)}`)
}

const isString = (value: unknown): value is string => typeof value === 'string'

/** The request in a body: its four members, null counting as absent, and nothing else. */
function asParams(body: unknown): GraphQLParams {
  if (Array.isArray(body))
    throw badRequest('Several requests in one body are not supported: send them one by one')
  if (!isObject(body)) throw badRequest(`The body must be a JSON object, but it is ${kindOf(body)}`)
  const query = member(body, 'query', 'a string', isString)
  if (query === undefined) throw badRequest('The member "query" is missing: it carries the GraphQL document')
  const operationName = member(body, 'operationName', 'a string', isString)
  const variables = member(body, 'variables', 'an object', isObject)
  const extensions = member(body, 'extensions', 'an object', isObject)
  return {
    query,
    ...(operationName === undefined ? {} : { operationName }),
    ...(variables === undefined ? {} : { variables }),
    ...(extensions === undefined ? {} : { extensions }),
  }
}

/** Reads a request from a JSON, form or multipart body, or from the query string of a GET. */
export function useRequestBody(): Plugin {
  return {
    onRequestParse({ request, setRequestParser }) {
      if (request.method !== 'GET' && request.method !== 'POST') {
        throw refusedByHttp('GraphQL takes GET and POST', 405, { Allow: 'GET, POST' })
      }
      const read = readerFor(request)
      setRequestParser(async (limited) => asParams(await read(limited)))
    },
  }
}
