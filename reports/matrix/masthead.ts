import { mark } from '../html/marks.ts'
import { type Markup, markup } from '../html/markup.ts'
import { duration, moment, number, plural } from '../words.ts'
import { kinds, kindTag, kindWords } from './kinds.ts'
import type { Matrix, Tally } from './matrix.ts'

/** What the proof says, in one sentence. */
export function verdictOf({ summary, unclean, whole }: Matrix): string {
  const { faults, variations, falseAlarms, cheats, untried } = summary
  const parts = [
    `${number(faults.caught)} of ${plural(faults.all, 'known fault')} caught`,
    ...(variations > 0
      ? [`${plural(falseAlarms, 'false alarm')} under ${plural(variations, 'harmless variation')}`]
      : []),
    ...(cheats.all > 0
      ? [`${plural(cheats.all, 'cheat')}, ${cheats.fooled === 0 ? 'none' : cheats.fooled} called conformant`]
      : []),
    ...(unclean.length > 0 ? [`${unclean.length} red without a fault`] : []),
    ...(whole && untried > 0 ? [`${plural(untried, 'requirement')} without a fault`] : []),
  ]
  return `${parts.join('; ')}.`
}

/** The verdict, the counts by kind, and how they came about. */
export function masthead(matrix: Matrix): Markup {
  const { summary, whole } = matrix
  const shape = summary.sound ? 'holds' : 'violated'
  const isFooled = summary.faults.caught < summary.faults.all || summary.cheats.fooled > 0
  const headline = summary.sound
    ? 'Every fault is caught'
    : isFooled
      ? 'The suites can be fooled'
      : 'The suites raise false alarms'
  return markup`<header class="verdict ${shape}">
<p class="brand">Assay <span>which requirement catches which fault</span></p>
<div class="headline">${mark(shape, 64)}<div><h1>${headline}</h1><p class="why">${verdictOf(matrix)}${!whole && ' Only what was chosen was tried.'}</p></div></div>
<div class="shares">${kinds.map((kind) => share(kind, summary.byKind[kind]))}</div>
<dl class="facts">${facts(matrix).map(([term, text]) => markup`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>
</header>`
}

const share = (
  kind: (typeof kinds)[number],
  { all, caught }: Tally,
): Markup => markup`<div class="share"><h2>${kindTag(kind)}</h2>
<p class="tally"><b>${number(caught)}</b> of ${number(all)} caught</p><p class="soft">${kindWords[kind]}</p></div>`

const facts = ({ summary, startedAt, durationMs, seed, tool, requirements }: Matrix): [string, string][] => [
  ['requirements that catch', `${number(summary.catching)} of ${number(requirements.length)}`],
  ['proved', moment(startedAt)],
  ['took', duration(durationMs)],
  ['seed', String(seed)],
  ['Assay', tool.version],
]
