import { emptyConfig } from '../../../fixtures/config.ts'
import { type TypedContent, typed } from '../../../fixtures/content.ts'
import { artifactManifest, imageIndex, imageManifest } from '../../../fixtures/manifest.ts'
import { vendorTypes } from '../../../fixtures/media-types.ts'
import { PrerequisiteFailure } from '../../../harness/errors.ts'
import { outcomeOf } from '../../outcome.ts'
import { pushManifest } from '../../push.ts'
import type { Registry } from '../../registry.ts'
import { artifactsIn } from './artifacts.ts'
import { listedReferrers, pushSubject, type Referrer } from './referrer-list.ts'

type Kind = 'image' | 'index' | 'imageWithoutType' | 'indexWithoutType'

/** A referrer that was pushed, and its entry in the list, where it has one. */
export interface Listed {
  readonly referrer: TypedContent
  readonly entry: Referrer | undefined
}

/** The annotations of the image and the index that have a type. */
export const annotations = {
  'org.example.empty': '',
  'org.example.text': 'é "quoted" <&>\n',
  b: '1',
  a: '2',
} as const

/**
 * A subject with a referrer of each kind, pushed and listed once for all requirements that look at entries. Throws
 * `PrerequisiteFailure` for a kind that was refused.
 */
export const kindsOfReferrers = (registry: Registry): Promise<(kind: Kind) => Listed> =>
  registry.once('referrer-kinds', async ({ registry: own, client, content }) => {
    const repository = await artifactsIn(own)
    const subject = await pushSubject(client, repository, content)
    const referrers = referrersTo(subject)
    const push = (kind: Kind) => outcomeOf(() => pushManifest(client, repository, referrers[kind]))
    // One after the other: pushed side by side, a registry may lose some, which is not what is looked at here.
    const pushed = {
      image: await push('image'),
      index: await push('index'),
      imageWithoutType: await push('imageWithoutType'),
      indexWithoutType: await push('indexWithoutType'),
    }
    const entries = await listedReferrers(client, repository, subject.digest)
    return (kind) => {
      const referrer = pushed[kind]()
      return { referrer, entry: entries.find(({ digest }) => digest === referrer.digest) }
    }
  })

/** The entry, for what it tells: where a referrer is not listed, nothing is told. */
export function entryOf({ referrer, entry }: Listed): Referrer {
  if (!entry) throw new PrerequisiteFailure(`the referrer ${referrer.digest} is not listed`)
  return entry
}

function referrersTo(subject: TypedContent): Readonly<Record<Kind, TypedContent>> {
  const { artifact, otherArtifact, config } = vendorTypes
  const manifests = [subject]
  return {
    image: artifactManifest({ artifactType: artifact, subject, annotations }),
    index: imageIndex({ artifactType: otherArtifact, manifests, subject, annotations }),
    imageWithoutType: imageManifest({
      config: typed(emptyConfig, config),
      layers: [emptyConfig],
      subject,
    }),
    indexWithoutType: imageIndex({ manifests, subject }),
  }
}
