import { accessFor, formatScopes, type Grant, isAction, parseScopes } from './access.ts'
import type { Call, Operation, Route } from './call.ts'
import { Refusal, tooManyRequests, unauthorized } from './errors.ts'
import type { PasswordCheck } from './passwords.ts'
import type { Access, TokenStore } from './stores.ts'
import type { Throttle } from './throttle.ts'
import { readTokenRequest, type TokenRequest } from './token-request.ts'

export interface TokenOptions {
  readonly tokens: TokenStore
  readonly isRight: PasswordCheck
  readonly grantsOf: (username: string) => readonly Grant[] | undefined
  /** Undefined where logins are not throttled. */
  readonly throttle: Throttle | undefined
}

/** The token endpoint: https://distribution.github.io/distribution/spec/auth/token/ and …/oauth/ */
export function tokenRoutes(options: TokenOptions): Route[] {
  const operation: Operation = { access: 'nothing', handle: (call) => issueToken(call, options) }
  return [{ path: /^\/token$/, methods: { GET: operation, POST: operation } }]
}

async function issueToken(call: Call, options: TokenOptions): Promise<Response | Refusal> {
  const { request, context, target, site, log } = call
  const asked = await readTokenRequest(request, context, target)
  if (asked instanceof Refusal) return asked
  const username = await authenticate(call, asked, options)
  if (username instanceof Refusal) {
    log({ event: 'token_refuse', level: 'warn' })
    return username
  }
  const access = accessFor(parseScopes(asked.scopes), options.grantsOf(username) ?? [])
  const { token, issuedAt, expiresIn } = await options.tokens.issue(site.domain, {
    subject: username,
    access,
  })
  log({ event: 'token_issue' })
  return Response.json(
    {
      token,
      access_token: token,
      expires_in: expiresIn,
      issued_at: new Date(issuedAt).toISOString(),
      ...(asked.oauth ? { token_type: 'Bearer', scope: granted(access) } : {}),
      ...(asked.offline ? { refresh_token: await options.tokens.issueRefresh(site.domain, username) } : {}),
    },
    { headers: { 'Cache-Control': 'no-store' } },
  )
}

const granted = (access: readonly Access[]) =>
  formatScopes(access.map(({ name, actions }) => ({ repository: name, actions: actions.filter(isAction) })))

/** The name of the account. Wrong, unknown and missing are told apart in no way. */
async function authenticate(
  { site, context }: Call,
  { username, password, refreshToken }: TokenRequest,
  { tokens, isRight, throttle, grantsOf }: TokenOptions,
): Promise<string | Refusal> {
  const refused = unauthorized('authentication required: wrong or missing credentials', 'Basic realm="token"')
  if (refreshToken !== undefined) {
    const subject = await tokens.verifyRefresh(site.domain, refreshToken)
    return subject !== undefined && grantsOf(subject) ? subject : refused
  }
  if (!username || !password) return refused
  if (await isRight({ username, password })) return username
  const wait = throttle?.failed(username, context.req?.socket.remoteAddress ?? '')
  return wait === undefined ? refused : tooManyRequests(wait)
}
