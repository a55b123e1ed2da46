import type { Report, VerdictCounts } from '../../harness/report.ts'
import type { Level } from '../../harness/requirement.ts'
import { number } from '../words.ts'
import { mark, names, verdicts } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { bar } from './masthead.ts'

const levels = ['MUST', 'SHOULD', 'MAY'] as const

/** Counts by interface and level; each count leads to the requirements that it counts. */
export function matrixSection({ summary }: Report): Markup {
  const rows = Object.entries(summary.byInterface).map(
    ([name, byLevel]) =>
      markup`<tr><th scope="row"><a href="#/?on=${name}">${name}</a></th>${levels.map((level) => cell(name, level, byLevel[level]))}</tr>`,
  )
  return markup`<section id="matrix"><h2>By interface and level</h2>
<div class="scroll"><table class="matrix"><thead><tr><td></td>${levels.map((level) => markup`<th scope="col">${level}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></section>`
}

function cell(name: string, level: Level, counts: VerdictCounts): Markup {
  const present = verdicts.filter((verdict) => counts[verdict] > 0)
  if (present.length === 0) return markup`<td class="none">–</td>`
  const links = present.map(
    (verdict) =>
      markup`<a href="#/?on=${name}&level=${level}&v=${verdict}" title="${names[verdict]}">${mark(verdict, 12, true)} ${number(counts[verdict])}</a> `,
  )
  return markup`<td>${bar(counts)}<span class="counts">${links}</span></td>`
}
