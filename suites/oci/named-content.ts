import { manifestTypes } from '../../fixtures/media-types.ts'
import type { Answer } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import type { RegistryTarget } from '../../harness/target.ts'
import { digestLike } from '../digest.ts'
import { need } from '../push.ts'

/** A blob that is there to be pulled. */
export interface ExistingBlob {
  readonly repository: string
  readonly digest: string
  readonly bytes: Uint8Array
}

/** A manifest that is there to be pulled, with the smallest of its blobs. */
export interface ExistingManifest {
  readonly repository: string
  readonly tag?: string
  readonly digest: string
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly blob: ExistingBlob
}

type Named = NonNullable<RegistryTarget['content']>[number]

/** Where a blob is pulled from. */
export const blobPath = ({ repository, digest }: Pick<ExistingBlob, 'repository' | 'digest'>): string =>
  `/v2/${repository}/blobs/${digest}`

/** The first manifest that the target file names, with what a requirement needs to know of it. */
export async function pullFirst(client: RegistryClient, named: readonly Named[]): Promise<ExistingManifest> {
  const [first] = named
  if (!first) throw new PrerequisiteFailure('no content is named')
  return pullNamed(client, first)
}

/** A manifest that the target file names. */
export async function pullNamed(
  client: RegistryClient,
  { repository, tag, digest }: Named,
): Promise<ExistingManifest> {
  const { answer, ...manifest } = await pullManifest(client, repository, digest ?? tag ?? 'latest')
  const mediaType = answer.header('content-type')?.replace(/;.*/, '').trim() ?? manifestTypes.ociManifest
  const blob = await pullSmallest(client, repository, answer)
  return { repository, ...manifest, mediaType, blob, ...(tag !== undefined && { tag }) }
}

async function pullManifest(client: RegistryClient, repository: string, reference: string) {
  const accept = Object.values(manifestTypes).join(', ')
  const path = `/v2/${repository}/manifests/${reference}`
  const answer = need(
    'pulling what the target file names',
    await client.get(path, { headers: { accept } }),
    200,
  )
  return { answer, digest: verified(reference, answer), bytes: answer.body }
}

/** The digest of what came, which is the one that was asked for if one was. */
function verified(reference: string, { body, url }: Answer): string {
  const digest = digestLike(reference, body)
  if (!reference.includes(':') || digest === reference) return digest
  throw new PrerequisiteFailure(`${url} answered with ${digest}`)
}

interface Links {
  readonly config?: Link
  readonly layers?: readonly Link[]
  readonly manifests?: readonly Link[]
}
type Link = { readonly digest: string; readonly size: number }

/** The smallest blob of an image, that of its first image for an index. */
async function pullSmallest(
  client: RegistryClient,
  repository: string,
  manifest: Answer,
): Promise<ExistingBlob> {
  const { config, layers = [], manifests } = linksOf(manifest)
  const [child] = manifests ?? []
  if (child)
    return pullSmallest(client, repository, (await pullManifest(client, repository, child.digest)).answer)
  const [smallest] = [...(config ? [config] : []), ...layers].sort((a, b) => a.size - b.size)
  if (!smallest) throw new PrerequisiteFailure(`${manifest.url} names no blob`)
  const { digest } = smallest
  const answer = need('pulling a blob', await client.get(blobPath({ repository, digest })), 200)
  return { repository, digest: verified(digest, answer), bytes: answer.body }
}

function linksOf(manifest: Answer): Links {
  try {
    return manifest.json() as Links
  } catch {
    throw new PrerequisiteFailure(`${manifest.url} answered with what is not JSON`)
  }
}
