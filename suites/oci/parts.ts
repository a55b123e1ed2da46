import { emptyConfig } from '../../fixtures/config.ts'
import type { TypedContent } from '../../fixtures/content.ts'
import { type Image, image } from '../../fixtures/image.ts'
import { imageManifest } from '../../fixtures/manifest.ts'
import type { Source } from '../../fixtures/seed.ts'
import { need, pushBlob, putManifest } from '../push.ts'
import { test as base, type Registry } from '../registry.ts'

/** What manifests are made of, in a repository that has all of it: the parts of an image, and the empty config of artifacts. */
export interface Parts extends Pick<Image, 'config' | 'layers'> {
  readonly repository: string
  /** A manifest that is there already, of all the parts. Nobody deletes or overwrites it. */
  readonly whole: TypedContent
}

/** An image of one requirement alone: its config and layers are there already, its manifest is not. */
export interface OwnImage extends Parts {
  readonly manifest: TypedContent
}

/**
 * `test` for what is done with manifests, whose blobs are pushed once for all requirements, with a tagged image that keeps
 * them. In that repository each pushes manifests of its own, under tags drawn from its `content`; what counts tags or
 * deletes anything stays in `repository`, where it is alone.
 */
export const test = base
  .extend('parts', ({ registry }): Promise<Parts> => partsIn(registry))
  .extend('image', ({ parts, content }): OwnImage => imageOf(parts, content))

/** The parts, for what is itself made once. */
export const partsIn = (registry: Registry): Promise<Parts> =>
  registry.once('parts', async ({ client, repository, content }) => {
    const { config, layers } = await image(content)
    const blobs = [config, ...layers, emptyConfig]
    await Promise.all(blobs.map((blob) => pushBlob(client, repository, blob)))
    const whole = imageManifest({ config, layers: [...layers, emptyConfig] })
    // Which status is right, a requirement of its own says.
    need('pushing a manifest', await putManifest(client, repository, whole, 'whole'), 201, 200, 202)
    return { repository, config, layers, whole }
  })

/** An image of the parts that differs from every other. */
export function imageOf(parts: Parts, source: Source): OwnImage {
  const { config, layers } = parts
  const annotations = { 'org.example.name': source.name('image') }
  return { ...parts, manifest: imageManifest({ config, layers, annotations }) }
}
