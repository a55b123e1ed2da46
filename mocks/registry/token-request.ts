import type { ServerContext } from '../handler.ts'
import { readUpTo } from './body.ts'
import { Refusal, sizeInvalid, unsupported } from './errors.ts'
import type { Target } from './target.ts'

/** What a client asks the token endpoint for, whichever way it says so. */
export interface TokenRequest {
  readonly username?: string
  readonly password?: string
  readonly refreshToken?: string
  readonly scopes: readonly string[]
  /** It wants a refresh token too. */
  readonly offline: boolean
  /** It speaks OAuth2, whose answers name the scope that was granted. */
  readonly oauth: boolean
}

type Fields = ReadonlyMap<string, readonly string[]>

const largestBody = 64 * 1024
const known = new Set(['username', 'password', 'scope', 'grant_type', 'refresh_token', 'access_type'])

/**
 * Reads JSON, a form (also OAuth2's password and refresh grants), or Basic with a query. The specification only says
 * "credentials (username, password)"; clients use all of these.
 */
export async function readTokenRequest(
  request: Request,
  context: ServerContext,
  { search }: Target,
): Promise<TokenRequest | Refusal> {
  const fields = request.method === 'POST' ? await readFields(request, context) : new Map()
  if (fields instanceof Refusal) return fields
  const query = formFields(search)
  const basic = basicCredentials(request.headers.get('authorization'))
  if (basic instanceof Refusal) return basic
  const named = basic ?? { username: single(fields, 'username'), password: single(fields, 'password') }
  const grant = single(fields, 'grant_type')
  const refreshToken = single(fields, 'refresh_token')
  const values = { ...named, grant, refreshToken }
  for (const value of Object.values(values)) if (value instanceof Refusal) return value
  if (grant !== undefined && grant !== 'password' && grant !== 'refresh_token') {
    return unsupported(400, 'grant_type must be password or refresh_token')
  }
  return {
    ...defined({ username: named.username, password: named.password }),
    ...(grant === 'refresh_token' ? defined({ refreshToken }) : {}),
    scopes: [...(query.get('scope') ?? []), ...(fields.get('scope') ?? [])],
    offline: query.get('offline_token')?.[0] === 'true' || fields.get('access_type')?.[0] === 'offline',
    oauth: grant !== undefined,
  }
}

const defined = (values: Record<string, string | Refusal | undefined>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'))

function single(fields: Fields, name: string): string | Refusal | undefined {
  const values = fields.get(name) ?? []
  return values.length > 1 ? unsupported(400, `${name} is given more than once`) : values[0]
}

async function readFields(request: Request, context: ServerContext): Promise<Fields | Refusal> {
  const body = await readUpTo(largestBody, request, context)
  if (!body) return sizeInvalid(`the body of a token request may have at most ${largestBody} bytes`, 413)
  if (body.byteLength === 0) return new Map()
  const text = new TextDecoder().decode(body)
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return formFields(text)
  if (type === 'application/json') return jsonFields(text)
  return unsupported(415, 'send credentials as application/json or application/x-www-form-urlencoded')
}

function formFields(text: string): Fields {
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text))
    fields.set(name, [...(fields.get(name) ?? []), value])
  return fields
}

function jsonFields(text: string): Fields | Refusal {
  const malformed = unsupported(400, 'the body must be a JSON object with the strings username and password')
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return malformed
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return malformed
  const fields = new Map<string, string[]>()
  for (const [name, value] of Object.entries(document)) {
    if (!known.has(name)) continue
    const values = name === 'scope' && Array.isArray(value) ? value : [value]
    if (!values.every((item) => typeof item === 'string')) return malformed
    fields.set(name, values)
  }
  // A parser keeps the last of two members of one name; which of the two passwords was meant is not for us to say.
  for (const name of ['username', 'password']) {
    if ([...text.matchAll(new RegExp(`(?<!\\\\)"${name}"\\s*:`, 'g'))].length > 1) return malformed
  }
  return fields
}

/** Undefined without Basic credentials; the user name ends at the first colon. */
function basicCredentials(
  header: string | null,
): { username: string; password: string } | Refusal | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(header ?? '') ?? []
  if (encoded === undefined) {
    return /^basic\b/i.test(header ?? '') ? unsupported(400, 'malformed Basic credentials') : undefined
  }
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return unsupported(400, 'malformed Basic credentials')
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}
