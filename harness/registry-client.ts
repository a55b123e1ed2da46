import type { Answer } from './answer.ts'
import { basicOffered, bearerChallenge } from './challenge.ts'
import { PrerequisiteFailure, TargetFailure } from './errors.ts'
import type { RecordedCredentials } from './exchange.ts'
import { type HttpClient, listOf, type RequestOptions } from './http.ts'
import type { Redactor } from './redactor.ts'
import type { AccountCredentials, AccountName, RegistryTarget } from './target.ts'
import {
  askForToken,
  basic,
  type TokenRequest,
  tokenOf,
  tokenRequests,
  tokenServiceUrl,
} from './token-service.ts'

/** How a registry wants to be asked, as the probe found it. */
export interface RegistryAccess {
  readonly scheme: 'open' | 'bearer' | 'basic'
  readonly realm?: string
  readonly service?: string
  /** The way in which its token service took credentials. */
  readonly tokenRequest?: TokenRequest
  /** How the owner's credentials were refused, where they were. */
  readonly refused?: string
}

export interface RegistryRequestOptions extends RequestOptions {
  /** The access to ask a token for; without it, pull and push on the repository of the path. */
  readonly scopes?: readonly string[]
  /** Follows up to five redirects, as clients do on GET and HEAD. */
  readonly follow?: boolean
}

/** A client that speaks for one account and gets its own tokens. */
export interface RegistryClient {
  readonly account: AccountName | 'anonymous'
  /** `where` is a path below the registry's base, or an absolute URL such as a Location. */
  request(method: string, where: string, options?: RegistryRequestOptions): Promise<Answer>
  get(where: string, options?: RegistryRequestOptions): Promise<Answer>
  head(where: string, options?: RegistryRequestOptions): Promise<Answer>
  put(where: string, options?: RegistryRequestOptions): Promise<Answer>
  post(where: string, options?: RegistryRequestOptions): Promise<Answer>
  patch(where: string, options?: RegistryRequestOptions): Promise<Answer>
  delete(where: string, options?: RegistryRequestOptions): Promise<Answer>
  /** A token with these scopes. Throws `PrerequisiteFailure` when the token service gives none. */
  token(scopes: readonly string[]): Promise<string>
}

/** Tokens by account and scopes; one for a whole run. */
export type TokenCache = Map<string, Promise<string>>

export interface RegistryClientOptions {
  readonly target: RegistryTarget
  readonly access: RegistryAccess
  readonly account: AccountName | 'anonymous'
  readonly http: HttpClient
  readonly redactor: Redactor
  readonly tokens: TokenCache
}

const mostRedirects = 5

export function createRegistryClient(given: RegistryClientOptions): RegistryClient {
  const { target, account } = given
  let options = given
  const origins = [target.url, ...(target.instances ?? [])].map((url) => new URL(url).origin)
  const trusted = (url: string) => url.startsWith(`${target.url}/`) || origins.includes(new URL(url).origin)

  /** URLs that answers named, and the access that led there: nothing can be read from the path of an upload. */
  const named = new Map<string, readonly string[]>()
  const scopesFor = (url: string) => {
    const scopes = scopesOf(url)
    return scopes.length > 0 ? scopes : (named.get(withoutQuery(url)) ?? scopes)
  }

  async function send(method: string, url: string, sent: RegistryRequestOptions): Promise<Answer> {
    if (!trusted(url)) return options.http.request(method, url, sent)
    const before = options
    const answer = await authorised(before, method, url, sent, () => scopesFor(url))
    if (!turnsOutToWantBasic(before, answer)) return answer
    options = { ...options, access: { scheme: 'basic' } }
    return authorised(options, method, url, sent, () => scopesFor(url))
  }

  async function request(method: string, where: string, sent: RegistryRequestOptions = {}): Promise<Answer> {
    const { follow = method === 'GET' || method === 'HEAD', ...rest } = sent
    let url = where.startsWith('/') ? `${target.url}${where}` : where
    for (let redirects = 0; ; redirects += 1) {
      const answer = await send(method, url, redirects > 0 && !trusted(url) ? withoutCredentials(rest) : rest)
      const location = answer.header('location')
      if (location === undefined) return answer
      if (URL.canParse(location, url)) named.set(withoutQuery(new URL(location, url).href), scopesFor(url))
      const redirected = answer.status >= 300 && answer.status < 400
      if (!follow || !redirected || redirects >= mostRedirects) return answer
      url = absolute(location, answer)
    }
  }

  const by = (method: string) => (where: string, sent?: RegistryRequestOptions) =>
    request(method, where, sent)
  return {
    account,
    request,
    get: by('GET'),
    head: by('HEAD'),
    put: by('PUT'),
    post: by('POST'),
    patch: by('PATCH'),
    delete: by('DELETE'),
    token: (scopes) => cachedToken(options, options.access, scopes),
  }
}

/** What a request was given for one host is not for the host that it is sent on to. */
function withoutCredentials({
  credentials: _,
  headers,
  ...rest
}: RegistryRequestOptions): RegistryRequestOptions {
  const kept = listOf(headers).filter(([name]) => !/^(?:authorization|cookie)$/i.test(name))
  return { ...rest, headers: kept }
}

const withoutQuery = (url: string) => url.replace(/[?#].*$/s, '')

function absolute(location: string, { method, url }: Answer): string {
  const next = URL.canParse(location, url) ? new URL(location, url) : undefined
  if (next && /^https?:$/.test(next.protocol)) return next.href
  throw new TargetFailure(`${method} ${url} redirects to what is no http(s) URL: ${location}`)
}

/** Sends with what the registry is known to want; when it wants something else, once more with that. */
async function authorised(
  options: RegistryClientOptions,
  method: string,
  url: string,
  { scopes: given, ...request }: RegistryRequestOptions,
  usual: () => readonly string[],
): Promise<Answer> {
  const { http, access, account, tokens } = options
  const scopes = () => given ?? usual()
  const held = await credentialsFor(options, access, scopes)
  const answer = await http.request(method, url, withCredentials(request, held))
  if (answer.status !== 401 || account === 'anonymous') return answer
  const challenge = bearerChallenge(answer.headerValues('www-authenticate'))
  const { realm, service, scope, error } = challenge?.parameters ?? {}
  if (!realm || isGiven(options)) return answer
  const key = cacheKey(account, scopes())
  // What reaches less far than this request needs is good for others.
  if (held?.pending === tokens.get(key) && error !== 'insufficient_scope') tokens.delete(key)
  const wanted = { ...access, scheme: 'bearer' as const, realm, ...(service !== undefined && { service }) }
  const asked = given ?? scope?.split(' ') ?? scopes()
  return http.request(
    method,
    url,
    withCredentials(request, await credentialsFor(options, wanted, () => asked)),
  )
}

/** A registry that everybody may read says only to who writes that it wants a username and a password. */
const turnsOutToWantBasic = (options: RegistryClientOptions, { status, headerValues }: Answer): boolean =>
  status === 401 &&
  options.access.scheme === 'open' &&
  !isGiven(options) &&
  credentialsOf(options.target, options.account) !== undefined &&
  basicOffered(headerValues('www-authenticate')) &&
  bearerChallenge(headerValues('www-authenticate')) === undefined

interface Held {
  readonly authorization: string
  readonly recorded: RecordedCredentials
  /** The token as the cache holds it. */
  readonly pending?: Promise<string>
}

/** Whether the account has one token, given by the user, instead of the token service's. */
const isGiven = ({ target, account }: RegistryClientOptions) =>
  target.token !== undefined && account === 'owner'

async function credentialsFor(
  options: RegistryClientOptions,
  access: RegistryAccess,
  scopes: () => readonly string[],
): Promise<Held | undefined> {
  const { account, target } = options
  if (account === 'anonymous') return undefined
  const credentials = credentialsOf(target, account)
  if (access.scheme === 'basic' && credentials) {
    return { authorization: basic(credentials), recorded: { kind: 'basic', account } }
  }
  if (access.scheme === 'open' && !target.token) return undefined
  if (access.scheme === 'basic' && !target.token)
    throw new PrerequisiteFailure(
      `the registry asks for a username and a password, and ${account} has none: name them, or log in with docker`,
    )
  const wanted = scopes()
  const pending = cachedToken(options, access, wanted)
  const recorded = { kind: 'token' as const, account, scope: wanted.join(' ') }
  return { authorization: `Bearer ${await pending}`, recorded, pending }
}

function withCredentials(request: RequestOptions, held: Held | undefined): RequestOptions {
  if (!held) return request
  const { authorization, recorded } = held
  const headers = [['authorization', authorization] as const, ...listOf(request.headers)]
  return { ...request, headers, credentials: recorded }
}

const credentialsOf = (
  { accounts }: RegistryTarget,
  account: AccountName | 'anonymous',
): AccountCredentials | undefined => (account === 'anonymous' ? undefined : accounts?.[account])

const cacheKey = (account: string, scopes: readonly string[]) => [account, ...scopes].join(' ')

function cachedToken(
  options: RegistryClientOptions,
  access: RegistryAccess,
  scopes: readonly string[],
): Promise<string> {
  const { tokens, account, target } = options
  if (target.token && isGiven(options)) return Promise.resolve(target.token)
  const key = cacheKey(account, scopes)
  const known = tokens.get(key)
  if (known) return known
  const fetched = fetchToken(options, access, scopes)
  tokens.set(key, fetched)
  fetched.catch(() => tokens.delete(key))
  return fetched
}

async function fetchToken(
  { http, redactor, target, account }: RegistryClientOptions,
  { realm, service, tokenRequest }: RegistryAccess,
  scopes: readonly string[],
): Promise<string> {
  const credentials = credentialsOf(target, account)
  const question = {
    realm: tokenServiceUrl(realm, target.url),
    scopes,
    account,
    ...(service !== undefined && { service }),
    ...(credentials && { credentials }),
  }
  const seen: string[] = []
  for (const way of tokenRequest ? [tokenRequest] : tokenRequests) {
    const answer = await askForToken(http, way, question)
    const token = tokenOf(answer)
    if (token !== undefined) {
      redactor.add(token, `token of ${account}`)
      return token
    }
    seen.push(`${way} answered ${answer.status}`)
  }
  throw new PrerequisiteFailure(`the token service gave ${account} no token: ${seen.join(', ')}`)
}

/** A repository may itself have a component `blobs` or `manifests`: what follows the last one that fits is not its name. */
const repositoryPath =
  /\/v2\/(.+)\/(?:manifests\/[^/]+|blobs\/uploads(?:\/.*)?|blobs\/[^/]+|tags\/list|referrers\/[^/]+)$/

/** What a client asks for before a request: the repository of the path, and the one that a mount reads from. */
export function scopesOf(url: string): readonly string[] {
  const { pathname, searchParams } = new URL(url)
  if (pathname.endsWith('/v2/_catalog')) return ['registry:catalog:*']
  const name = repositoryPath.exec(pathname)?.[1]
  if (name === undefined) return []
  const from = searchParams.get('from')
  return [`repository:${name}:pull,push`, ...(from && from !== name ? [`repository:${from}:pull`] : [])]
}
