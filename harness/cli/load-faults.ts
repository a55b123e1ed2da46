import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Seams } from '../../mocks/control/fault.ts'
import type { Fault, Variation } from '../fault.ts'

export interface Behaviours {
  readonly faults: readonly Fault<Seams>[]
  readonly variations: readonly Variation<Seams>[]
}

const extension = extname(fileURLToPath(import.meta.url))
const suites = fileURLToPath(new URL('../../suites', import.meta.url))

/** Every fault and every harmless variation that lies beside a suite, in the order of their ids. */
export async function loadBehaviours(): Promise<Behaviours> {
  const files = (await readdir(suites, { recursive: true })).filter((file) =>
    file.endsWith(`.faults${extension}`),
  )
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(suites, file)).href) as Promise<Partial<Behaviours>>),
  )
  const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)
  return {
    faults: modules.flatMap(({ faults = [] }) => faults).sort(byId),
    variations: modules.flatMap(({ variations = [] }) => variations).sort(byId),
  }
}
