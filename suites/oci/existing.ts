import { emptyConfig } from '../../fixtures/config.ts'
import { imageIndex } from '../../fixtures/manifest.ts'
import type { Source } from '../../fixtures/seed.ts'
import type { Answer } from '../../harness/answer.ts'
import type { RegistryClient, RegistryRequestOptions } from '../../harness/registry-client.ts'
import { pushArtifact, pushBlob, pushImage, pushManifest } from '../push.ts'
import type { Registry } from '../registry.ts'
import { type ExistingBlob, type ExistingManifest, pullFirst, pullNamed } from './named-content.ts'
import { test as base } from './parts.ts'

/**
 * `test` for what pulling promises. What is pulled was pushed once for all requirements that only read, or is what the
 * target file names where nothing may be pushed; `manifests` are an image and an index in the first case, and all that is
 * named in the second. `own` makes a manifest in a repository of its own, for those that do more than reading.
 */
export const test = base
  .extend('existing', ({ run, registry, skip }) => {
    const { push } = run.capabilities
    const named = registry.target.content ?? []
    skip(!push?.offered && named.length === 0, `${push?.reason ?? 'no push'}, and no content is named`)
    return push?.offered ? pushedOnce(registry) : namedIn(registry)
  })
  .extend('manifest', ({ existing }): Promise<ExistingManifest> => existing.manifest())
  .extend('manifests', ({ existing }): Promise<readonly ExistingManifest[]> => existing.manifests())
  .extend('blob', ({ existing }): Promise<ExistingBlob> => existing.blob())
  .extend(
    'own',
    ({ client, repository, content }): Promise<ExistingManifest> => pushAlone(client, repository, content),
  )

/** What is there to be pulled. */
interface Existing {
  manifest(): Promise<ExistingManifest>
  manifests(): Promise<readonly ExistingManifest[]>
  blob(): Promise<ExistingBlob>
}

function pushedOnce(registry: Registry): Existing {
  const manifest = () =>
    registry.once('existing-image', ({ client, repository, content }) =>
      pushTagged(client, repository, content),
    )
  return {
    manifest,
    manifests: async () => {
      const image = await manifest()
      return [image, await registry.once('existing-index', ({ client }) => pushIndexOf(client, image))]
    },
    blob: () =>
      registry.once('existing-blob', async ({ client, repository, content }) =>
        blobIn(repository, await pushBlob(client, repository, content.bytes(2048))),
      ),
  }
}

function namedIn(registry: Registry): Existing {
  const { content: named = [] } = registry.target
  const manifest = () => registry.once('named-manifest', ({ client }) => pullFirst(client, named))
  return {
    manifest,
    manifests: () =>
      registry.once('named-manifests', ({ client }) =>
        Promise.all(named.map((one) => pullNamed(client, one))),
      ),
    blob: async () => (await manifest()).blob,
  }
}

/** The references under which a manifest is there: its tag where it has one, and its digest. */
export const references = ({ tag, digest }: ExistingManifest): readonly string[] =>
  tag === undefined ? [digest] : [tag, digest]

/** Asks for a manifest as clients do, its type in Accept, on a fresh connection. */
export function askFor(
  client: RegistryClient,
  { repository, mediaType }: Pick<ExistingManifest, 'repository' | 'mediaType'>,
  reference: string,
  { method = 'GET', ...options }: RegistryRequestOptions & { readonly method?: string } = {},
): Promise<Answer> {
  const headers = { accept: mediaType }
  return client.request(method, `/v2/${repository}/manifests/${reference}`, {
    headers,
    fresh: true,
    ...options,
  })
}

const blobIn = (repository: string, { digest, bytes }: Omit<ExistingBlob, 'repository'>): ExistingBlob => ({
  repository,
  digest,
  bytes,
})

async function pushTagged(
  client: RegistryClient,
  repository: string,
  source: Source,
): Promise<ExistingManifest> {
  const { config, manifest } = await pushImage(client, repository, source, 'image')
  const { digest, mediaType, bytes } = manifest
  return { repository, tag: 'image', digest, mediaType, bytes, blob: blobIn(repository, config) }
}

/** The smallest there is: that it is there is enough. */
async function pushAlone(
  client: RegistryClient,
  repository: string,
  source: Source,
): Promise<ExistingManifest> {
  const { digest, mediaType, bytes } = await pushArtifact(client, repository, source, 'own')
  return { repository, tag: 'own', digest, mediaType, bytes, blob: blobIn(repository, emptyConfig) }
}

async function pushIndexOf(client: RegistryClient, image: ExistingManifest): Promise<ExistingManifest> {
  const { repository, digest, mediaType, bytes } = image
  const index = imageIndex({ manifests: [{ digest, mediaType, size: bytes.length }] })
  await pushManifest(client, repository, index, 'index')
  const pushed = { tag: 'index', digest: index.digest, mediaType: index.mediaType, bytes: index.bytes }
  return { ...image, ...pushed }
}
