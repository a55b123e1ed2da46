import pc from 'picocolors'
import type { Verdict } from '../../harness/report.ts'
import type { ComparedRequirement, Comparison } from '../comparison.ts'
import { printable } from '../printable.ts'
import { duration, number, plural, shortened } from '../words.ts'
import { countRows } from './counts.ts'
import { changeSections } from './sections.ts'

export interface TerminalOptions {
  readonly colour: boolean
  readonly width: number
}

type Paint = ReturnType<typeof pc.createColors>

interface Style {
  readonly paint: Paint
  readonly width: number
}

const marks: Readonly<Record<Verdict, readonly [string, 'green' | 'red' | 'yellow' | 'dim' | 'magenta']>> = {
  holds: ['✓', 'green'],
  violated: ['✗', 'red'],
  deviates: ['△', 'yellow'],
  'not-verified': ['○', 'dim'],
  error: ['!', 'magenta'],
}

const mostRows = 60

/** Runs side by side for a reader at a terminal: their counts, where they disagree, and what changed. */
export function comparedTerminal(comparison: Comparison, { colour, width }: TerminalOptions): string {
  const style: Style = { paint: pc.createColors(colour), width: Math.max(60, Math.min(width, 120)) }
  const blocks = [
    runs(comparison, style),
    counts(comparison, style),
    comparison.changes ? changes(comparison, style) : differences(comparison, style),
    comparison.caveats.map((caveat) => style.paint.dim(printable(caveat))),
  ]
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`
}

function runs({ runs: all }: Comparison, { paint, width }: Style): string[] {
  return all.map(({ name, report }, index) => {
    const { summary, tool, profile, spec, durationMs } = report
    const about = `${summary.verdict}, ${profile}, OCI ${spec}, ${duration(durationMs)}, Assay ${tool.version}`
    return `${paint.bold(String(index + 1).padStart(2))}  ${shortened(printable(name), width - 6)}\n    ${paint.dim(about)}`
  })
}

function counts({ runs: all }: Comparison, { paint }: Style): string[] {
  const head = `${''.padEnd(22)}${all.map((_, index) => String(index + 1).padStart(8)).join('')}`
  let last = ''
  const rows = countRows(all).map(({ level, verdict, counts: cells }) => {
    const title = level === last ? '' : level
    last = level
    const shown = cells.map((count) => (count === 0 ? '·' : number(count)).padStart(8)).join('')
    return `  ${title.padEnd(7)}${verdict.padEnd(13)}${paint[marks[verdict][1]](shown)}`
  })
  return [paint.dim(head), ...rows]
}

function line({ id, level, statement, verdicts }: ComparedRequirement, { paint, width }: Style): string {
  const cells = verdicts.map((verdict) => {
    const [mark, colour] = verdict ? marks[verdict] : (['·', 'dim'] as const)
    return paint[colour](mark.padStart(3))
  })
  const room = width - 3 * verdicts.length - id.length - level.length - 5
  const told = room > 20 ? `  ${paint.dim(shortened(printable(statement), room))}` : ''
  return `${cells.join('')}  ${id} ${paint.dim(level)}${told}`
}

function differences({ rows, runs: all }: Comparison, style: Style): string[] {
  const { paint } = style
  if (rows.length === 0) return ['They agree on every requirement.']
  const head = all.map((_, index) => String(index + 1).padStart(3)).join('')
  const more = rows.length - mostRows
  return [
    paint.bold(`${plural(rows.length, 'requirement')} on which they do not agree`),
    paint.dim(head),
    ...rows.slice(0, mostRows).map((row) => line(row, style)),
    ...(more > 0 ? [paint.dim(`… and ${number(more)} more; --report html=PATH has them all`)] : []),
    paint.dim('✓ holds  ✗ violated  △ deviates  ○ not verified  ! error of Assay  · left out'),
  ]
}

function changes({ changes: found, runs: all }: Comparison, style: Style): string[] {
  if (!found) return []
  const sections = changeSections(found)
  if (sections.length === 0) return ['Nothing changed.']
  const first = style.paint.dim(`from run 1 to run ${all.length}`)
  return sections.flatMap(([title, rows], index) => [
    `${index > 0 ? '\n' : ''}${style.paint.bold(`${title}: ${number(rows.length)}`)}${index === 0 ? `  ${first}` : ''}`,
    ...rows.slice(0, mostRows).map((row) => line(row, style)),
    ...(rows.length > mostRows ? [style.paint.dim(`… and ${number(rows.length - mostRows)} more`)] : []),
  ])
}
