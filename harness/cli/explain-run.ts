import { nearNames } from '../../mocks/control/near.ts'
import { kindWords } from '../../reports/matrix/kinds.ts'
import { needs } from '../capability.ts'
import { UsageError } from '../errors.ts'
import type { Fault } from '../fault.ts'
import type { Requirement } from '../requirement.ts'
import { collectRequirements } from '../run-suites.ts'
import { asRow } from './catalogue.ts'
import { faultRow } from './faults.ts'
import { loadBehaviours, type Repertoire } from './load-faults.ts'

/** What there is to say of a requirement, a fault, a variation or a cheat. Throws `UsageError` where there is none. */
export async function explain(id: string, json: boolean): Promise<string> {
  const [requirements, repertoire] = await Promise.all([collectRequirements(), loadBehaviours()])
  const found = explanation(id, requirements, repertoire)
  if (!found) throw new UsageError(unknown(id, requirements, repertoire))
  return json ? JSON.stringify(found.row, null, 2) : found.text
}

interface Explanation {
  readonly row: object
  readonly text: string
}

function explanation(
  id: string,
  requirements: readonly Requirement[],
  { faults, variations, cheats }: Repertoire,
): Explanation | undefined {
  const requirement = requirements.find((one) => one.id === id)
  if (requirement) {
    const caught = faults.filter(({ breaks }) => breaks.includes(id))
    const row = { ...asRow(requirement), faults: caught.map(faultRow) }
    return { row, text: requirementInFull(requirement, caught) }
  }
  const fault = faults.find((one) => one.id === id)
  if (fault) return { row: faultRow(fault), text: faultInFull(fault, requirements) }
  const variation = variations.find((one) => one.id === id)
  if (variation) return behaviour(variation, 'harmless: nothing may turn red under it')
  const cheat = cheats.find((one) => one.id === id)
  return cheat && behaviour(cheat, 'a cheat: no run may call it conformant')
}

const behaviour = (
  { id, what }: { readonly id: string; readonly what: string },
  rule: string,
): Explanation => ({
  row: { id, what },
  text: [id, `  ${what}`, '', `  ${rule}`, '', ...serving(id)].join('\n'),
})

const serving = (id: string) => [`  npx assay serve --fault ${id}`]

function unknown(
  id: string,
  requirements: readonly Requirement[],
  { faults, variations, cheats }: Repertoire,
): string {
  const known = [...requirements, ...faults, ...variations, ...cheats].map((one) => one.id)
  const near = nearNames(id, known)
  return `there is no requirement and no fault "${id}"${near.length > 0 ? `; near are ${near.join(', ')}` : ''}`
}

function requirementInFull(requirement: Requirement, caught: readonly Fault[]): string {
  const { id, interface: on, level, statement, source, since, levels = {} } = requirement
  const elsewhere = Object.entries(levels).map(
    ([version, other]) => `${other} in OCI Distribution ${version}`,
  )
  return [
    id,
    `  ${statement}`,
    '',
    `  level      ${[level, ...elsewhere].join(', ')}${since ? ` (since ${since})` : ''}`,
    `  interface  ${on}`,
    `  source     ${source.document}, ${source.section}`,
    `             ${source.url}`,
    ...requirement.needs.map((need, i) => `  ${i === 0 ? 'needs' : '     '}      ${needs[need]}`),
    '',
    caught.length === 0
      ? '  no fault tries it'
      : `  catches ${caught.length} ${caught.length === 1 ? 'fault' : 'faults'}`,
    ...caught.flatMap(({ id: fault, kind, what }) => [
      `    ${kind.padEnd(16)} ${fault}`,
      `    ${''.padEnd(16)} ${what}`,
    ]),
    '',
    `  npx assay test --only ${id}`,
  ].join('\n')
}

function faultInFull(fault: Fault, requirements: readonly Requirement[]): string {
  const { id, what, kind, breaks, client } = faultRow(fault)
  const statement = (name: string) => requirements.find((one) => one.id === name)?.statement ?? ''
  return [
    id,
    `  ${what}`,
    '',
    `  kind           ${kind}: ${kindWords[kind]}`,
    `  a good client  ${client}`,
    '',
    '  is caught by',
    ...breaks.flatMap((name) => [`    ${name}`, `      ${statement(name)}`]),
    '',
    ...serving(id),
    `  npx assay prove --only ${id}`,
  ].join('\n')
}
