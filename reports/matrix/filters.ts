import { type Markup, markup } from '../html/markup.ts'
import { kinds } from './kinds.ts'
import type { Matrix } from './matrix.ts'

/** The search box and the chips that a script brings to life; one set for all lists of the page. */
export function filters({ requirements, summary }: Matrix): Markup {
  const present = {
    escaped: summary.faults.caught < summary.faults.all || summary.cheats.fooled > 0,
    caught: summary.faults.caught > 0,
    untried: summary.untried > 0,
    unbreakable: requirements.some(({ unbreakable }) => unbreakable !== undefined),
  }
  const levels = [...new Set(requirements.map(({ level }) => level))]
  return markup`<form class="filters" hidden role="search"><input type="search" name="q" placeholder="Search ids, sentences, reasons" aria-label="Search requirements and faults">
<fieldset><legend>state</legend>${present.escaped && chip('state', 'escaped', 'escaped')}${present.caught && chip('state', 'caught', 'caught')}${present.untried && chip('state', 'untried', 'no fault yet')}${present.unbreakable && chip('state', 'unbreakable', 'no fault possible')}</fieldset>
<fieldset><legend>kind</legend>${kinds.map((kind) => chip('kind', kind, kind))}</fieldset>
<fieldset><legend>level</legend>${levels.map((level) => chip('level', level, level))}</fieldset>
<p class="showing" aria-live="polite"><span></span> <button type="reset">Show all</button></p></form>`
}

const chip = (name: string, value: string, label: string) =>
  markup`<label class="chip"><input type="checkbox" name="${name}" value="${value}"><span>${label}</span></label>`
