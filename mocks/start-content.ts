import { helloImage } from './hello-image.ts'
import type { Parts } from './parts.ts'
import { pushImage } from './push-image.ts'
import type { Login, Targets } from './targets.ts'

export type StartContent = NonNullable<Targets['registry']>['content']

/** Pushes what a registry holds at start, so that a run that only reads has something to read. May be done again. */
export async function pushStartContent({ registry }: Parts, login: Login | undefined): Promise<StartContent> {
  const handle = registry?.handles[0]
  if (!handle) return []
  const image = helloImage()
  const place = { repository: 'library/hello', tag: 'latest' }
  await pushImage(image, { registry: handle, login, ...place })
  return [{ ...place, digest: image.manifest.digest }]
}
