import { allows, type Grant, isGranted } from './access.ts'
import type { Call, Route } from './call.ts'
import { Refusal } from './errors.ts'
import { cut, nextLink, pageOf } from './pagination.ts'
import type { RepositoryStore } from './stores.ts'

export interface CatalogOptions {
  readonly repositories: RepositoryStore
  readonly grantsOf: (username: string) => readonly Grant[] | undefined
}

const batch = 1000

/**
 * The list of all repositories (specification 4.1) that the caller's account may pull from: the name of a private
 * repository is private too. A token cannot carry a right to the catalogue, so it is the account that counts.
 */
export function catalogRoutes(options: CatalogOptions): Route[] {
  const path = /^\/v2\/_catalog$/
  return [{ path, methods: { GET: { access: 'token', handle: (call) => listRepositories(call, options) } } }]
}

async function listRepositories(call: Call, options: CatalogOptions): Promise<Response | Refusal> {
  const asked = pageOf(call.target)
  if (asked instanceof Refusal) return asked
  const found: string[] = []
  let { last } = asked
  let more = asked.limit > 0
  while (more && found.length <= asked.limit) {
    const names = await options.repositories.list({ limit: batch, last })
    found.push(...names.filter((name) => isVisible(name, call, options)))
    last = names.at(-1) ?? last
    more = names.length === batch
  }
  const { page, last: end } = cut(found, asked.limit)
  const headers = end === undefined ? {} : nextLink('/v2/_catalog', { n: asked.limit, last: end })
  return Response.json({ repositories: page }, { headers })
}

const isVisible = (name: string, { claims }: Call, { grantsOf }: CatalogOptions) =>
  !claims || allows(claims.access, name, 'pull') || isGranted(grantsOf(claims.subject) ?? [], name, 'pull')
