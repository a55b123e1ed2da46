import type { Resources } from './template.ts'

const units: Readonly<Record<string, number>> = { Ki: 1 / 1024 / 1024, Mi: 1 / 1024, Gi: 1, Ti: 1024 }

/** A quantity such as `512Mi` in GiB, or undefined for what is none. */
export function gibibytes(quantity: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(Ki|Mi|Gi|Ti)$/.exec(quantity) ?? []
  const factor = unit === undefined ? undefined : units[unit]
  return factor === undefined ? undefined : Number(number) * factor
}

/** What an hour of these resources costs here, in cents. The prices are made up: the specification shows none. */
export const hourlyCents = ({ cpu, memory, storage, gpu }: Resources): number =>
  2 * cpu + (gibibytes(memory) ?? 0) + 0.02 * (gibibytes(storage) ?? 0) + 150 * (gpu?.units ?? 0)
