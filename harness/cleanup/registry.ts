import type { Answer } from '../answer.ts'
import { TargetFailure } from '../errors.ts'
import type { Thing } from '../journal/thing.ts'
import { type RegistryClient, scopesOf } from '../registry-client.ts'
import { type Of, ofKind } from './of-kind.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { Remaining, Remover } from './remover.ts'

type Manifest = Of<'manifest'>

/**
 * Removes what a run made in a registry: uploads and tags, then manifests from the outside in, then blobs. Resolves to
 * what is still there.
 */
export async function cleanRegistry(
  client: RegistryClient,
  things: readonly Thing[],
  remover: Remover,
): Promise<readonly Remaining[]> {
  const [uploads, tags] = await Promise.all([
    remover.remove(ofKind(things, 'upload'), (upload) => cancel(client, upload)),
    remover.remove(ofKind(things, 'tag'), async ({ repository, tag }) =>
      outcomeOf('DELETE of a tag', await client.delete(`/v2/${repository}/manifests/${tag}`)),
    ),
  ])
  const manifests: Remaining[] = []
  for (const wave of fromOutsideIn(ofKind(things, 'manifest'))) {
    manifests.push(...(await remover.remove(wave, (manifest) => removeManifest(client, manifest))))
  }
  const [led, blobs] = await Promise.all([
    withTheirManifests(client, tags, remover),
    remover.remove(ofKind(things, 'blob'), async ({ repository, digest }) =>
      outcomeOf('DELETE of a blob', await client.delete(`/v2/${repository}/blobs/${digest}`)),
    ),
  ])
  return [...uploads, ...led, ...manifests, ...blobs]
}

async function cancel(client: RegistryClient, { repository, url }: Of<'upload'>): Promise<Outcome> {
  if (url === undefined) return { reason: 'no Location of it came', again: false }
  // Where the URL tells its repository, a challenge may ask for more: distribution wants the right to delete.
  const scopes = scopesOf(url).length > 0 ? {} : { scopes: [`repository:${repository}:pull,push`] }
  return outcomeOf('DELETE of an upload', await client.delete(url, scopes))
}

async function removeManifest(
  client: RegistryClient,
  { repository, digest, alias }: Manifest,
): Promise<Outcome> {
  const remove = async (name: string) =>
    outcomeOf('DELETE of a manifest', await client.delete(`/v2/${repository}/manifests/${name}`))
  const byAlias = alias === undefined ? 'gone' : await remove(alias)
  const outcome = await remove(digest)
  return byAlias === 'gone' ? outcome : byAlias
}

/** Where a tag cannot be deleted, it goes with its manifest. */
function withTheirManifests(
  client: RegistryClient,
  tags: readonly Remaining<Of<'tag'>>[],
  remover: Remover,
): Promise<readonly Remaining[]> {
  const before = new Map(tags.map((remaining) => [remaining.thing, remaining]))
  const lists = new Map<string, Promise<ReadonlySet<string>>>()
  return remover.remove([...before.keys()], async (thing) => {
    const listed = lists.get(thing.repository) ?? listedTags(client, thing.repository)
    lists.set(thing.repository, listed)
    const { reason, again } = before.get(thing) ?? { reason: '', again: false }
    return (await listed).has(thing.tag) ? { reason, again } : 'gone'
  })
}

const mostPages = 1000

/** The tags of a repository. A HEAD of each would miss manifests whose type the registry does not give to everyone. */
async function listedTags(client: RegistryClient, repository: string): Promise<ReadonlySet<string>> {
  const tags = new Set<string>()
  let next: string | undefined = `/v2/${repository}/tags/list`
  for (let page = 0; next !== undefined && page < mostPages; page += 1) {
    const answer = await client.get(next)
    if (answer.status === 404) return tags
    for (const tag of tagsOf(answer)) tags.add(tag)
    const link = /<([^>]+)>\s*;\s*rel="?next"?/.exec(answer.header('link') ?? '')?.[1]
    next = link === undefined || !URL.canParse(link, answer.url) ? undefined : new URL(link, answer.url).href
  }
  return tags
}

function tagsOf(answer: Answer): readonly string[] {
  try {
    const { tags } = Object(answer.json()) as { readonly tags?: unknown }
    if (answer.status === 200) return Array.isArray(tags) ? tags.map(String) : []
  } catch {
    // What is no list tells nothing.
  }
  throw new TargetFailure(`the list of tags answered ${answer.status}`)
}

/** Manifests in waves, each before those that it refers to: a registry may refuse to delete what is referred to. */
function* fromOutsideIn(manifests: readonly Manifest[]): Generator<readonly Manifest[]> {
  const id = ({ repository }: Manifest, digest: string) => `${repository} ${digest}`
  let waiting = manifests
  while (waiting.length > 0) {
    const referred = new Set(waiting.flatMap((one) => (one.refers ?? []).map((digest) => id(one, digest))))
    const isInside = (one: Manifest) =>
      referred.has(id(one, one.digest)) || (one.alias !== undefined && referred.has(id(one, one.alias)))
    const outside = waiting.filter((one) => !isInside(one))
    // What refers to itself in a circle cannot be put in order.
    yield outside.length > 0 ? outside : waiting
    waiting = outside.length > 0 ? waiting.filter(isInside) : []
  }
}
