import type { Clock } from './clock.ts'
import { helloImage } from './hello-image.ts'
import type { Shared } from './open-registries.ts'
import { pushImage } from './push-image.ts'
import type { StartContent } from './targets.ts'

/** Pushes the start content through a registry of its own, which asks for no login and writes no log. May be done again. */
export async function pushStartContent(
  shared: Shared,
  { clock, signingSecret }: { readonly clock: Clock; readonly signingSecret: string },
): Promise<StartContent> {
  const { createRegistry } = await import('./registry/registry.ts')
  const registry = await createRegistry({ ...shared, clock, signingSecret, accounts: [], open: true })
  const image = helloImage()
  const place = { repository: 'library/hello', tag: 'latest' }
  try {
    await pushImage(image, { registry: registry.handle, ...place })
  } finally {
    await registry.close()
  }
  return [{ ...place, digest: image.manifest.digest }]
}
