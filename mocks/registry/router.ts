import type { Handler, ServerContext } from '../handler.ts'
import { allows, type Grant, isGranted, type Scope } from './access.ts'
import { BodyBroken } from './body.ts'
import type { Call, Operation, Route } from './call.ts'
import { bearerChallenge, siteOf } from './challenge.ts'
import {
  blobUploadInvalid,
  contentDamaged,
  denied,
  nameInvalid,
  Refusal,
  unauthorized,
  unavailable,
  unsupported,
} from './errors.ts'
import type { Log } from './log.ts'
import { isRepositoryName } from './names.ts'
import type { Claims, TokenStore } from './stores.ts'
import { decoded, targetOf } from './target.ts'
import { DatabaseUnavailable, StorageUnavailable } from './unavailable.ts'
import { ContentDamaged } from './verified.ts'

export interface RouterOptions {
  readonly routes: readonly Route[]
  readonly tokens: TokenStore
  readonly grantsOf: (username: string) => readonly Grant[] | undefined
  readonly domain: string | undefined
  readonly open: boolean
  readonly now: () => number
  readonly log: Log
}

/** Finds the operation, checks token, name and right, and turns whatever comes of it into a response. */
export function createRouter(options: RouterOptions): Handler {
  return async (request, context) => {
    const answer = await answerTo(request, context, options).catch((error: unknown) =>
      failure(error, options.log),
    )
    const response = answer instanceof Refusal ? answer.toResponse() : answer
    response.headers.set('Docker-Distribution-API-Version', 'registry/2.0')
    // What of the body nobody wanted is thrown away, so that the connection can be used again.
    context.req?.resume()
    return request.method === 'HEAD' ? withoutBody(response) : response
  }
}

async function answerTo(
  request: Request,
  context: ServerContext,
  options: RouterOptions,
): Promise<Response | Refusal> {
  const target = targetOf(request, context)
  const [route, groups] = match(options.routes, target.path)
  if (!route) return unsupported(404, 'there is no such endpoint')
  const operation = operationOf(route, request.method)
  if (operation instanceof Refusal) return operation
  const { name: repository = '', reference = '' } = groups
  const call: Call = {
    request,
    context,
    target,
    site: siteOf(request, options.domain),
    repository,
    reference: decoded(reference),
    claims: undefined,
    since: options.now(),
    log: options.log,
  }
  const named = 'name' in groups
  if (named && !isRepositoryName(repository)) {
    return nameInvalid('a repository name has lower-case components of at most 255 characters in all')
  }
  if (options.open || operation.access === 'nothing') return operation.handle(call)
  const claims = await authorize(call, operation, options)
  return claims instanceof Refusal ? claims : operation.handle({ ...call, claims })
}

function match(
  routes: readonly Route[],
  path: string,
): [Route | undefined, Readonly<Record<string, string>>] {
  for (const route of routes) {
    const found = route.path.exec(path)
    if (found) return [route, found.groups ?? {}]
  }
  return [undefined, {}]
}

function operationOf({ methods }: Route, method: string): Operation | Refusal {
  const name = method === 'HEAD' ? 'GET' : method
  const operation = Object.entries(methods).find(([offered]) => offered === name)?.[1]
  if (operation) return operation
  const offered = Object.keys(methods).flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))
  return unsupported(405, 'this method is not supported here', { Allow: offered.join(', ') })
}

/**
 * A token that lacks a right which its account has is answered with 401 and the scope to ask for: clients then get a
 * better token. An account without the right is denied.
 */
async function authorize(
  call: Call,
  operation: Operation,
  options: RouterOptions,
): Promise<Claims | Refusal> {
  const { request, site, repository } = call
  const scopes = scopesOf(call, operation)
  const header = request.headers.get('authorization')
  const [, token] = /^bearer +(\S+)$/i.exec(header ?? '') ?? []
  const claims = token === undefined ? undefined : await options.tokens.verify(site.domain, token)
  if (!claims) {
    const error = /^bearer\b/i.test(header ?? '') ? 'invalid_token' : undefined
    return unauthorized('authentication required', bearerChallenge(site, scopes, error))
  }
  const { access } = operation
  if (access !== 'pull' && access !== 'push') return claims
  if (allows(claims.access, repository, access)) return claims
  const may = isGranted(options.grantsOf(claims.subject) ?? [], repository, access)
  return may
    ? unauthorized('the token does not allow this', bearerChallenge(site, scopes, 'insufficient_scope'))
    : denied()
}

function scopesOf(call: Call, { access, alsoAsks }: Operation): Scope[] {
  const { repository } = call
  const own: Scope[] =
    access === 'pull'
      ? [{ repository, actions: ['pull'] }]
      : access === 'push'
        ? [{ repository, actions: ['pull', 'push'] }]
        : []
  return [...own, ...(alsoAsks?.(call) ?? []).filter((scope) => scope.repository !== repository)]
}

/** What went wrong on our side of the wire. The client is told no more than it needs. */
function failure(error: unknown, log: Log): Refusal {
  if (error instanceof BodyBroken) return blobUploadInvalid(400, 'the request ended before its body did')
  if (error instanceof ContentDamaged) {
    log({ event: 'blob_damaged', level: 'error' })
    return contentDamaged()
  }
  if (error instanceof StorageUnavailable) {
    log({ event: 'storage_unavailable', level: 'error' })
    return unavailable('the storage node is not available')
  }
  if (error instanceof DatabaseUnavailable) {
    log({ event: 'database_unavailable', level: 'error' })
    return unavailable('the database is not available')
  }
  log({ event: 'internal_error', level: 'error' })
  return new Refusal(500, 'UNKNOWN', 'the registry failed')
}

function withoutBody({ status, headers }: Response): Response {
  return new Response(null, { status, headers })
}
