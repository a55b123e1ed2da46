import type { TypedContent } from '../../../fixtures/content.ts'
import { vendorTypes } from '../../../fixtures/media-types.ts'
import type { Answer } from '../../../harness/answer.ts'
import { PrerequisiteFailure } from '../../../harness/errors.ts'
import { pushManifest } from '../../push.ts'
import type { Registry } from '../../registry.ts'
import { fourMegabytes, largeReferrer } from '../four-megabytes.ts'
import { listReferrers, referrerTo } from './referrer-list.ts'

/** A subject with a list of referrers that is too long for one manifest. */
export interface LongList {
  readonly repository: string
  readonly subject: TypedContent
  /** Of the usual type. */
  readonly matching: readonly TypedContent[]
  /** Of another type. */
  readonly other: TypedContent
  /** The list as the first who asks gets it, or its first page. */
  readonly first: Answer
}

/**
 * Referrers whose descriptors, with their annotations, are more than the 4 MiB that clients and registries take for one
 * manifest; `undefined` where manifests with annotations that long are refused. They are many megabytes to list, so
 * requirements look at one answer.
 */
export const longList = (registry: Registry): Promise<LongList | undefined> =>
  registry.once('long-list-of-referrers', async ({ registry: own, client, content }) => {
    const { repository, subject, manifest, answer } = await fourMegabytes(own)
    const other = await pushManifest(
      client,
      repository,
      referrerTo(subject, content, vendorTypes.otherArtifact),
    )
    const isTaken = answer.status === 201
    const sizes = isTaken ? [300_000] : [1_500_000, 1_500_001, 1_500_002]
    const further = sizes.map((size) => largeReferrer(subject, size))
    const matching = isTaken ? [manifest, ...further] : further
    try {
      for (const referrer of further) await pushManifest(client, repository, referrer)
    } catch (error) {
      if (!(error instanceof PrerequisiteFailure)) throw error
      return undefined
    }
    const first = await listReferrers(client, repository, subject.digest)
    return { repository, subject, matching, other, first }
  })
