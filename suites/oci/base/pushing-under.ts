import { emptyConfig } from '../../../fixtures/config.ts'
import type { TypedContent } from '../../../fixtures/content.ts'
import { artifactManifest, imageIndex } from '../../../fixtures/manifest.ts'
import { vendorTypes } from '../../../fixtures/media-types.ts'
import type { Answer } from '../../../harness/answer.ts'
import { PrerequisiteFailure } from '../../../harness/errors.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { closeUpload, locationOf, putManifest } from '../../push.ts'
import type { Registry } from '../../registry.ts'

/** A way to push one small manifest. */
interface Kind {
  labelled(label: string): TypedContent
  /** Gives the first refusal or the last answer. */
  push(client: RegistryClient, repository: string, label: string, reference: string): Promise<Answer>
}

/** The smallest manifests that a registry takes, told from each other by a label. */
export interface SmallManifests extends Kind {
  /** The answer to one under a plain name and tag. */
  readonly plain: Answer
}

const labels = (label: string) => ({ 'org.example.label': label })

/** An index of nothing needs no blob. */
const indexes: Kind = {
  labelled: (label) => imageIndex({ manifests: [], annotations: labels(label) }),
  push: (client, repository, label, reference) =>
    putManifest(client, repository, indexes.labelled(label), reference),
}

const artifacts: Kind = {
  labelled: (label) => artifactManifest({ artifactType: vendorTypes.artifact, annotations: labels(label) }),
  async push(client, repository, label, reference) {
    const started = await client.post(`/v2/${repository}/blobs/uploads/`)
    if (started.status !== 202) return started
    const closed = await closeUpload(client, locationOf(started), emptyConfig.digest, emptyConfig)
    if (closed.status !== 201) return closed
    return putManifest(client, repository, artifacts.labelled(label), reference)
  },
}

/** What is pushed where names and tags are tried: indexes of nothing, or artifacts where the registry takes none. */
export const smallManifests = (registry: Registry): Promise<SmallManifests> =>
  registry.once('small-manifest', async ({ client, repository }) => {
    const plain = await indexes.push(client, repository, 'plain', 'plain')
    if (plain.status < 400) return { ...indexes, plain }
    return { ...artifacts, plain: await artifacts.push(client, repository, 'plain', 'plain') }
  })

/**
 * The scope to ask for under a name that a token service may refuse to name in a token: that of the name where it
 * gives one, else that of a repository of ours, so that the registry itself is heard.
 */
export async function scopesFor(
  client: RegistryClient,
  name: string,
  own: string,
): Promise<readonly string[]> {
  const scopes = [`repository:${name}:pull,push`]
  try {
    await client.token(scopes)
    return scopes
  } catch (error) {
    if (error instanceof PrerequisiteFailure) return [`repository:${own}:pull,push`]
    throw error
  }
}
