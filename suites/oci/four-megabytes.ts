import { emptyConfig } from '../../fixtures/config.ts'
import type { TypedContent } from '../../fixtures/content.ts'
import { paddedManifest } from '../../fixtures/manifest.ts'
import { vendorTypes } from '../../fixtures/media-types.ts'
import type { Answer } from '../../harness/answer.ts'
import { artifact, pushBlob, putManifest } from '../push.ts'
import type { Registry } from '../registry.ts'

/** A push of a manifest as large as clients and registries take. */
export interface FourMegabytes {
  readonly repository: string
  /** What the manifest refers to. */
  readonly subject: TypedContent
  readonly manifest: TypedContent
  readonly answer: Answer
}

/** A manifest of so many bytes that refers to the subject, which it owes to one annotation. */
export const largeReferrer = (subject: TypedContent, size: number): TypedContent =>
  paddedManifest(
    { artifactType: vendorTypes.artifact, config: emptyConfig, layers: [emptyConfig], subject },
    size,
  )

/** The one push of it: a manifest like this takes a registry as long as twenty others. */
export const fourMegabytes = (registry: Registry): Promise<FourMegabytes> =>
  registry.once('four-megabytes', async ({ client, repository, content }) => {
    await pushBlob(client, repository, emptyConfig)
    const subject = artifact(content)
    // What comes of it says nothing of the size: a subject need not even be there.
    await putManifest(client, repository, subject)
    const manifest = largeReferrer(subject, 4_000_000)
    return { repository, subject, manifest, answer: await putManifest(client, repository, manifest) }
  })
