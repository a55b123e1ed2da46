import { type DocumentNode, type FieldNode, Kind, parse } from 'graphql'
import { addressOf } from './address.ts'

/** A body beyond this is passed on unread, and the operation stays unnamed. */
const largestNamed = 256 * 1024

/** The request, to be handed on in place of the one given, and the name of what it asks for, as `graphql.mutation.createProject`. */
export interface NamedRequest {
  readonly request: Request
  readonly operation: string | null
}

interface Parameters {
  readonly query?: unknown
  readonly operationName?: unknown
}

/** Reads the document of a GraphQL request, which leaves the body of the one given spent. */
export async function nameGraphqlRequest(request: Request): Promise<NamedRequest> {
  if (request.method === 'GET') {
    return { request, operation: nameDocument(Object.fromEntries(addressOf(request.url).query)) }
  }
  const size = Number(request.headers.get('content-length') ?? Number.NaN)
  if (request.body === null || !(size <= largestNamed)) return { request, operation: null }
  const body = await request.arrayBuffer()
  const { method, headers, signal, url } = request
  const again = new Request(url, { method, headers, signal, body })
  return { request: again, operation: nameDocument(await readParameters(headers, body)) }
}

/** JSON, form and multipart bodies: https://github.com/jaydenseric/graphql-multipart-request-spec puts the JSON into `operations`. */
async function readParameters(headers: Headers, body: ArrayBuffer): Promise<Parameters> {
  try {
    const type = headers.get('content-type') ?? ''
    if (!type.includes('form')) return JSON.parse(new TextDecoder().decode(body)) ?? {}
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    const operations = form.get('operations')
    return typeof operations === 'string' ? (JSON.parse(operations) ?? {}) : Object.fromEntries(form)
  } catch {
    return {}
  }
}

function nameDocument({ query, operationName }: Parameters): string | null {
  if (typeof query !== 'string') return null
  try {
    return nameOperation(parse(query, { maxTokens: 10_000 }), operationName)
  } catch {
    return null
  }
}

function nameOperation(document: DocumentNode, operationName: unknown): string | null {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  const chosen =
    typeof operationName === 'string' && operationName !== ''
      ? operations.find(({ name }) => name?.value === operationName)
      : operations[0]
  const field = chosen?.selectionSet.selections.find((node): node is FieldNode => node.kind === Kind.FIELD)
  return chosen && field ? `graphql.${chosen.operation}.${field.name.value}` : null
}
