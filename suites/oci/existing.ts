import { image } from '../../fixtures/image.ts'
import { imageIndex } from '../../fixtures/manifest.ts'
import type { Source } from '../../fixtures/seed.ts'
import type { Answer } from '../../harness/answer.ts'
import type { RegistryClient, RegistryRequestOptions } from '../../harness/registry-client.ts'
import type { RunContext } from '../../harness/run-context.ts'
import { pushBlob, pushManifest } from '../push.ts'
import { test as base, type Workshop } from '../registry.ts'
import { type ExistingBlob, type ExistingManifest, pullFirst, pullNamed } from './named-content.ts'

/**
 * `test` for what pulling promises. What is pulled was pushed for the requirement, or is what the target file names
 * where nothing may be pushed; `manifests` are an image and an index in the first case, and all that is named in the
 * second.
 */
export const test = base
  .extend('existing', ({ run, registry, client, repository, content, skip }) => {
    const { push } = run.capabilities
    const named = registry.target.content ?? []
    skip(!push?.offered && named.length === 0, `${push?.reason ?? 'no push'}, and no content is named`)
    return {
      ...existingIn(run, { registry, client, repository, content }),
      /** The same for what several requirements share. */
      within: (workshop: Workshop) => existingIn(run, workshop),
    }
  })
  .extend('manifest', ({ existing }): Promise<ExistingManifest> => existing.manifest())
  .extend('manifests', ({ existing }): Promise<readonly ExistingManifest[]> => existing.manifests())
  .extend('blob', ({ existing }): Promise<ExistingBlob> => existing.blob())

/** What is there to be pulled, for a requirement or for several. */
function existingIn({ capabilities }: RunContext, { registry, client, repository, content }: Workshop) {
  const named = registry.target.content ?? []
  const source = content.fork('existing')
  return capabilities.push?.offered
    ? {
        manifest: () => pushImage(client, repository, source),
        manifests: () => pushIndex(client, repository, source),
        blob: async () => blobIn(repository, await pushBlob(client, repository, source.bytes(2048))),
      }
    : {
        manifest: () => pullFirst(client, named),
        manifests: () => Promise.all(named.map((one) => pullNamed(client, one))),
        blob: async () => (await pullFirst(client, named)).blob,
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

async function pushImage(
  client: RegistryClient,
  repository: string,
  source: Source,
): Promise<ExistingManifest> {
  const { config, layers, manifest } = await image(source)
  await Promise.all([config, ...layers].map((content) => pushBlob(client, repository, content)))
  const { digest, mediaType, bytes } = await pushManifest(client, repository, manifest, 'image')
  return { repository, tag: 'image', digest, mediaType, bytes, blob: blobIn(repository, config) }
}

async function pushIndex(
  client: RegistryClient,
  repository: string,
  source: Source,
): Promise<readonly ExistingManifest[]> {
  const child = await pushImage(client, repository, source)
  const { digest, mediaType, bytes } = child
  const index = imageIndex({ manifests: [{ digest, mediaType, size: bytes.length }] })
  await pushManifest(client, repository, index, 'index')
  const pushed = { tag: 'index', digest: index.digest, mediaType: index.mediaType, bytes: index.bytes }
  return [child, { ...child, ...pushed }]
}
