import { formatScopes, type Scope } from './access.ts'

/** How a client reaches the registry, and where it gets its tokens. */
export interface Site {
  /** The issuer and the audience of tokens, and the service of challenges. */
  readonly domain: string
  readonly realm: string
}

/**
 * The configured domain, with an https realm; else the host that the client named, without its port, so that
 * instances on several ports of one host take each other's tokens.
 */
export function siteOf(request: Request, domain: string | undefined): Site {
  if (domain !== undefined) return { domain, realm: `https://${domain}/token` }
  const host = request.headers.get('host') ?? ''
  const authority = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?$/i.test(host) ? host : 'localhost'
  const scheme =
    request.headers.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https' || /^https:/.test(request.url)
      ? 'https'
      : 'http'
  return { domain: authority.replace(/:[0-9]+$/, '').toLowerCase(), realm: `${scheme}://${authority}/token` }
}

/** https://distribution.github.io/distribution/spec/auth/token/#how-to-authenticate */
export function bearerChallenge(
  { realm, domain }: Site,
  scopes: readonly Scope[],
  error?: 'invalid_token' | 'insufficient_scope',
): string {
  const parameters = [
    `realm="${realm}"`,
    `service="${domain}"`,
    ...(scopes.length > 0 ? [`scope="${formatScopes(scopes)}"`] : []),
    ...(error ? [`error="${error}"`] : []),
  ]
  return `Bearer ${parameters.join(',')}`
}
