import type { Answer } from './answer.ts'
import { bearerChallenge } from './challenge.ts'
import { PrerequisiteFailure } from './errors.ts'
import type { HttpClient, RequestOptions } from './http.ts'
import type { Redactor } from './redactor.ts'
import type { AccountCredentials, AccountName, RegistryTarget } from './target.ts'
import { askForToken, basic, type TokenRequest, tokenOf, tokenRequests } from './token-service.ts'

/** How a registry wants to be asked, as the probe found it. */
export interface RegistryAccess {
  readonly scheme: 'open' | 'bearer' | 'basic'
  readonly realm?: string
  readonly service?: string
  /** The way in which its token service took credentials. */
  readonly tokenRequest?: TokenRequest
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

export function createRegistryClient(options: RegistryClientOptions): RegistryClient {
  const { target, account } = options
  const origins = [target.url, ...(target.instances ?? [])].map((url) => new URL(url).origin)
  const trusted = (url: string) => origins.includes(new URL(url).origin)

  async function request(method: string, where: string, sent: RegistryRequestOptions = {}): Promise<Answer> {
    const { scopes, follow = method === 'GET' || method === 'HEAD', ...rest } = sent
    let url = where.startsWith('/') ? `${target.url}${where}` : where
    for (let redirects = 0; ; redirects += 1) {
      const answer = await authorised(options, method, url, scopes ?? scopesOf(url), rest, trusted(url))
      const location = answer.header('location')
      const redirected = answer.status >= 300 && answer.status < 400 && location !== undefined
      if (!follow || !redirected || redirects >= mostRedirects) return answer
      url = new URL(location, url).href
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

async function authorised(
  options: RegistryClientOptions,
  method: string,
  url: string,
  scopes: readonly string[],
  request: RequestOptions,
  trusted: boolean,
): Promise<Answer> {
  const { http, access, account } = options
  const send = async (how: RegistryAccess) =>
    http.request(method, url, trusted ? await withCredentials(options, how, scopes, request) : request)
  const answer = await send(access)
  if (answer.status !== 401 || account === 'anonymous' || !trusted) return answer
  const challenge = bearerChallenge(answer.headerValues('www-authenticate'))
  const realm = challenge?.parameters['realm']
  if (!realm || (access.scheme === 'bearer' && !dropToken(options, scopes))) return answer
  const { service } = challenge.parameters
  return send({ ...access, scheme: 'bearer', realm, ...(service !== undefined && { service }) })
}

/** Forgets a token that was refused. False when there was none, so that nothing is asked twice for nothing. */
const dropToken = ({ tokens, account }: RegistryClientOptions, scopes: readonly string[]) =>
  tokens.delete(cacheKey(account, scopes))

async function withCredentials(
  options: RegistryClientOptions,
  access: RegistryAccess,
  scopes: readonly string[],
  request: RequestOptions,
): Promise<RequestOptions> {
  const { account, target } = options
  if (account === 'anonymous') return request
  const credentials = credentialsOf(target, account)
  if (access.scheme === 'basic' && credentials) {
    return withHeader(request, basic(credentials), { kind: 'basic', account })
  }
  if (access.scheme === 'open' && !target.token) return request
  const token = await cachedToken(options, access, scopes)
  return withHeader(request, `Bearer ${token}`, { kind: 'token', account, scope: scopes.join(' ') })
}

function withHeader(
  request: RequestOptions,
  authorization: string,
  credentials: NonNullable<RequestOptions['credentials']>,
): RequestOptions {
  const headers = Array.isArray(request.headers) ? request.headers : Object.entries(request.headers ?? {})
  return { ...request, headers: [['authorization', authorization], ...headers], credentials }
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
  if (target.token && account === 'owner') return Promise.resolve(target.token)
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
  if (!realm) throw new PrerequisiteFailure('the registry names no token service to get a token from')
  const credentials = credentialsOf(target, account)
  const question = {
    realm: new URL(realm, target.url).href,
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

const repositoryPath = /\/v2\/(.+?)\/(?:manifests|blobs|tags|referrers)(?:\/|$)/

/** What a client asks for before a request: the repository of the path, and the one that a mount reads from. */
export function scopesOf(url: string): readonly string[] {
  const { pathname, searchParams } = new URL(url)
  if (pathname.endsWith('/v2/_catalog')) return ['registry:catalog:*']
  const name = repositoryPath.exec(pathname)?.[1]
  if (name === undefined) return []
  const from = searchParams.get('from')
  return [`repository:${name}:pull,push`, ...(from ? [`repository:${from}:pull`] : [])]
}
