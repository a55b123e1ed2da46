import type { FaultKind } from '../../harness/fault.ts'
import { mark, names } from '../html/marks.ts'
import { type Markup, markup } from '../html/markup.ts'
import { sourceLink } from '../html/source-link.ts'
import { number, plural } from '../words.ts'
import { kinds, kindTag } from './kinds.ts'
import type { Catch, Matrix, ProvenRequirement, TriedFault } from './matrix.ts'

/** A fault as one of the requirements that it names has it. */
interface Trial {
  readonly fault: TriedFault
  readonly found: Catch
}

const red = ({ found: { verdict } }: Trial) => verdict === 'violated' || verdict === 'deviates'

/** Each requirement with the faults that name it, by the first two parts of its id. */
export function byRequirement(matrix: Matrix): Markup {
  const trials = trialsOf(matrix)
  const areas = new Map<string, ProvenRequirement[]>()
  for (const requirement of matrix.requirements) {
    const area = requirement.id.split('.').slice(0, 2).join('.')
    areas.set(area, [...(areas.get(area) ?? []), requirement])
  }
  return markup`<section id="requirements"><h2>By requirement <span class="count">${number(matrix.requirements.length)}</span></h2>
${[...areas].map(([area, requirements]) => markup`<section class="family"><h3><code>${area}</code> <span class="count">${requirements.length}</span></h3><div class="panel">${requirements.map((requirement) => row(requirement, trials.get(requirement.id) ?? []))}</div></section>`)}</section>`
}

function trialsOf({ faults }: Matrix): ReadonlyMap<string, readonly Trial[]> {
  const trials = new Map<string, Trial[]>()
  for (const fault of faults) {
    for (const found of fault.by) {
      trials.set(found.requirement, [...(trials.get(found.requirement) ?? []), { fault, found }])
    }
  }
  return trials
}

function row(requirement: ProvenRequirement, trials: readonly Trial[]): Markup {
  const { id, level, statement, source, unbreakable } = requirement
  const state = stateOf(requirement, trials)
  const present = kinds.filter((kind) => trials.some(({ fault }) => fault.kind === kind))
  return markup`<details class="row" id="${id}" data-state="${state}" data-level="${level}" data-kind="${present.join(' ')}"><summary>${stateMark(state)}<span class="title"><code>${id}</code><span>${statement}</span></span><span class="dots">${present.map((kind) => dot(kind, trials))}</span><small class="level">${level}</small><small class="time">${trials.length > 0 ? plural(trials.length, 'fault') : 'no fault'}</small></summary>
<div class="inside">${unbreakable !== undefined && markup`<p class="reason">No fault can try it: ${unbreakable}.</p>`}${trials.length > 0 && markup`<ul class="trials">${trials.map(trial)}</ul>`}<p class="source">${sourceLink(source)}</p></div></details>`
}

type State = 'caught' | 'escaped' | 'untried' | 'unbreakable'

function stateOf({ unbreakable }: ProvenRequirement, trials: readonly Trial[]): State {
  if (trials.length === 0) return unbreakable === undefined ? 'untried' : 'unbreakable'
  return trials.every(red) ? 'caught' : 'escaped'
}

const shapes = {
  caught: 'holds',
  escaped: 'violated',
  untried: 'not-verified',
  unbreakable: 'not-verified',
} as const
const stateMark = (state: State) => mark(shapes[state], 14)

const dot = (kind: FaultKind, trials: readonly Trial[]) => {
  const count = trials.filter(({ fault }) => fault.kind === kind).length
  return markup`<b class="kind ${kind}" title="${kind}">${count}</b>`
}

const trial = ({ fault, found }: Trial) =>
  markup`<li>${kindTag(fault.kind)}<div><a href="#fault:${fault.id}"><code>${fault.id}</code></a> ${fault.what}<p class="soft"><b class="${red({ fault, found }) ? 'is-red' : 'is-missed'}">${names[found.verdict]}</b> ${found.reason}</p></div></li>`
