import { emptyConfig } from '../../../fixtures/config.ts'
import type { TypedContent } from '../../../fixtures/content.ts'
import { artifactManifest } from '../../../fixtures/manifest.ts'
import { vendorTypes } from '../../../fixtures/media-types.ts'
import type { Answer } from '../../../harness/answer.ts'
import { PrerequisiteFailure } from '../../../harness/errors.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { closeUpload, locationOf, putManifest } from '../../push.ts'

/** The smallest manifest there is, told from others by its label. */
export const smallManifest = (label: string): TypedContent =>
  artifactManifest({ artifactType: vendorTypes.artifact, annotations: { 'org.example.label': label } })

/** Pushes a small manifest and its one blob, and gives the first refusal or the last answer. */
export async function tryToPush(
  client: RegistryClient,
  repository: string,
  manifest: TypedContent,
  reference: string = manifest.digest,
): Promise<Answer> {
  const started = await client.post(`/v2/${repository}/blobs/uploads/`)
  if (started.status !== 202) return started
  const closed = await closeUpload(client, locationOf(started), emptyConfig.digest, emptyConfig)
  if (closed.status !== 201) return closed
  return putManifest(client, repository, manifest, reference)
}

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
