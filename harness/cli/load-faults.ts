import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Fault as ControlFault, Seams } from '../../mocks/control/fault.ts'
import type { Cheat, Fault, Variation } from '../fault.ts'

export interface Behaviours {
  readonly faults: readonly Fault<Seams>[]
  readonly variations: readonly Variation<Seams>[]
}

export interface Repertoire extends Behaviours {
  readonly cheats: readonly Cheat<Seams>[]
}

const extension = extname(fileURLToPath(import.meta.url))
const suites = fileURLToPath(new URL('../../suites', import.meta.url))

/** Every fault, harmless variation and cheat that lies beside a suite, in the order of their ids. */
export async function loadBehaviours(): Promise<Repertoire> {
  const files = (await readdir(suites, { recursive: true })).filter((file) =>
    file.endsWith(`.faults${extension}`),
  )
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(suites, file)).href) as Promise<Partial<Repertoire>>),
  )
  const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)
  return {
    faults: modules.flatMap(({ faults = [] }) => faults).sort(byId),
    variations: modules.flatMap(({ variations = [] }) => variations).sort(byId),
    cheats: modules.flatMap(({ cheats = [] }) => cheats).sort(byId),
  }
}

/** Every way of behaving that `assay serve --fault` and the control surface switch on: faults, variations and cheats. */
export async function loadTable(): Promise<readonly ControlFault[]> {
  const { faults, variations, cheats } = await loadBehaviours()
  return [...faults, ...variations, ...cheats]
}
