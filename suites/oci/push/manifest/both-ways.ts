import type { TypedContent } from '../../../../fixtures/content.ts'
import type { Answer } from '../../../../harness/answer.ts'
import { putManifest } from '../../../push.ts'
import type { Registry } from '../../../registry.ts'
import { imageOf, partsIn } from '../../parts.ts'

/** A valid manifest that was pushed under a tag and by its digest, and what was answered, whatever that is. */
export interface BothWays {
  readonly repository: string
  readonly manifest: TypedContent
  readonly byTag: Answer
  readonly byDigest: Answer
}

/** Two pushes, for all requirements that look at their answers and read. */
export const pushedBothWays = (registry: Registry): Promise<BothWays> =>
  registry.once('manifest-both-ways', async ({ registry: own, client, content }) => {
    const { repository, manifest } = imageOf(await partsIn(own), content)
    const byTag = await putManifest(client, repository, manifest, content.name('tagged'))
    const byDigest = await putManifest(client, repository, manifest)
    return { repository, manifest, byTag, byDigest }
  })
