import type { Answer } from './answer.ts'
import { PrerequisiteFailure } from './errors.ts'
import type { HttpClient, RequestOptions } from './http.ts'
import type { AccountCredentials } from './target.ts'

/**
 * The ways in which registries take credentials for a token, in the order in which they are tried: what clients do
 * most, then what the specification shows without its encoding (distribution `docs/content/spec/auth/`).
 */
export const tokenRequests = ['get-basic', 'post-json', 'post-form', 'post-basic'] as const
export type TokenRequest = (typeof tokenRequests)[number]

export interface TokenQuestion {
  readonly realm: string
  readonly service?: string
  readonly scopes: readonly string[]
  /** Absent: anonymous. */
  readonly credentials?: AccountCredentials
  /** The name of the account in a report. */
  readonly account?: string
}

/**
 * The absolute URL of the token service that a challenge names. Throws `PrerequisiteFailure` where it names none, and
 * where a registry behind https names one without: no password goes there in clear text.
 */
export function tokenServiceUrl(realm: string | undefined, registryUrl: string): string {
  if (!realm) throw new PrerequisiteFailure('the registry names no token service to get a token from')
  const url = URL.canParse(realm, registryUrl) ? new URL(realm, registryUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new PrerequisiteFailure(`the realm of the registry is no http(s) URL: ${realm}`)
  }
  if (registryUrl.startsWith('https:') && url.protocol === 'http:') {
    throw new PrerequisiteFailure(
      `the registry is behind https and its realm is not, so no password is sent to ${realm}`,
    )
  }
  return url.href
}

/** Asks the token service once, in one of the ways. */
export function askForToken(http: HttpClient, way: TokenRequest, question: TokenQuestion): Promise<Answer> {
  const { method, url, options } = tokenRequest(way, question)
  return http.request(method, url, options)
}

interface PreparedRequest {
  readonly method: string
  readonly url: string
  readonly options: RequestOptions
}

function tokenRequest(
  way: TokenRequest,
  { realm, service, scopes, credentials, account }: TokenQuestion,
): PreparedRequest {
  const asked: [string, string][] = [
    ...(service === undefined ? [] : [['service', service] as [string, string]]),
    ...scopes.map((scope) => ['scope', scope] as [string, string]),
  ]
  const query = new URLSearchParams(asked).toString()
  const url = query === '' ? realm : `${realm}${realm.includes('?') ? '&' : '?'}${query}`
  const recorded = { credentials: { kind: 'basic' as const, ...(account && { account }) } }
  const authorization: Record<string, string> = credentials ? { authorization: basic(credentials) } : {}
  switch (way) {
    case 'get-basic':
      return { method: 'GET', url, options: { headers: authorization, ...(credentials && recorded) } }
    case 'post-basic':
      return { method: 'POST', url, options: { headers: authorization, ...(credentials && recorded) } }
    case 'post-json':
      return {
        method: 'POST',
        url,
        options: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(credentials ?? {}) },
      }
    case 'post-form': {
      const form = new URLSearchParams([
        ['grant_type', 'password'],
        ['client_id', 'assay'],
        ...Object.entries(credentials ?? {}),
        ...asked.filter(([name]) => name !== 'scope'),
        ...(scopes.length > 0 ? [['scope', scopes.join(' ')]] : []),
      ] as [string, string][])
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return { method: 'POST', url: realm, options: { headers, body: form.toString() } }
    }
  }
}

export const basic = ({ username, password }: AccountCredentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** The token of an answer of the token service: `token`, or OAuth 2's `access_token`. */
export function tokenOf(answer: Answer): string | undefined {
  if (answer.status !== 200) return undefined
  try {
    const body = answer.json() as { token?: unknown; access_token?: unknown } | null
    return [body?.token, body?.access_token].find(isText)
  } catch {
    return undefined
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
