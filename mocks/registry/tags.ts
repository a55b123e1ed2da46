import type { Call, Route } from './call.ts'
import { nameUnknown, Refusal } from './errors.ts'
import { cut, nextLink, pageOf } from './pagination.ts'
import type { RepositoryStore, TagStore } from './stores.ts'

export interface TagOptions {
  readonly tags: TagStore
  readonly repositories: RepositoryStore
}

/** https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#listing-tags */
export function tagRoutes(options: TagOptions): Route[] {
  const path = /^\/v2\/(?<name>.+)\/tags\/list$/
  return [{ path, methods: { GET: { access: 'pull', handle: (call) => listTags(call, options) } } }]
}

async function listTags(
  { repository: name, target }: Call,
  { tags, repositories }: TagOptions,
): Promise<Response | Refusal> {
  const asked = pageOf(target)
  if (asked instanceof Refusal) return asked
  const found = asked.limit === 0 ? [] : await tags.list(name, { ...asked, limit: asked.limit + 1 })
  if (found.length === 0 && !(await repositories.exists(name))) return nameUnknown(name)
  const { page, last } = cut(found, asked.limit)
  const headers = last === undefined ? {} : nextLink(`/v2/${name}/tags/list`, { n: asked.limit, last })
  return Response.json({ name, tags: page }, { headers })
}
