import type { Verdict } from '../../harness/report.ts'
import type { ComparedRequirement, Comparison } from '../comparison.ts'
import { code, inline } from '../markdown-text.ts'
import { duration, number, plural } from '../words.ts'
import { countRows } from './counts.ts'
import { changeSections } from './sections.ts'

const marks: Readonly<Record<Verdict, string>> = {
  holds: '✅',
  violated: '❌',
  deviates: '⚠️',
  'not-verified': '⚪',
  error: '🟣',
}

/** Runs side by side as GitHub's Markdown. */
export function comparedMarkdown(comparison: Comparison): string {
  const { runs, rows, changes, caveats } = comparison
  const sections = changes ? changeSections(changes) : []
  const headings = runs.map((_, index) => index + 1)
  const table = (listed: readonly ComparedRequirement[]) =>
    [
      `| requirement | | ${headings.join(' | ')} |`,
      `| --- | --- |${' :---: |'.repeat(runs.length)}`,
      ...listed.map(row),
    ].join('\n')
  return `${[
    '## Runs compared',
    summary(comparison),
    counts(comparison),
    ...sections.map(([title, listed]) => `### ${title}: ${number(listed.length)}\n\n${table(listed)}`),
    ...(changes
      ? []
      : [`### ${plural(rows.length, 'requirement')} on which they do not agree\n\n${table(rows)}`]),
    ...(changes && sections.length === 0 ? ['Nothing changed.'] : []),
    ...caveats.map((caveat) => `<sub>${inline(caveat)}</sub>`),
  ].join('\n\n')}\n`
}

function row({ id, level, verdicts }: ComparedRequirement): string {
  const cells = verdicts.map((verdict) => (verdict ? marks[verdict] : '·'))
  return `| ${code(id)} | ${level} | ${cells.join(' | ')} |`
}

function summary({ runs }: Comparison): string {
  return [
    '| | run | verdict | rules | took |\n| ---: | --- | --- | --- | ---: |',
    ...runs.map(
      (
        {
          name,
          report: {
            summary: { verdict },
            profile,
            spec,
            durationMs,
          },
        },
        index,
      ) =>
        `| ${index + 1} | ${inline(name)} | ${verdict} | ${profile}, OCI ${spec} | ${duration(durationMs)} |`,
    ),
  ].join('\n')
}

function counts({ runs }: Comparison): string {
  return [
    `| | | ${runs.map((_, index) => index + 1).join(' | ')} |`,
    `| --- | --- |${' ---: |'.repeat(runs.length)}`,
    ...countRows(runs).map(
      ({ level, verdict, counts: cells }) =>
        `| ${level} | ${marks[verdict]} ${verdict} | ${cells.map(number).join(' | ')} |`,
    ),
  ].join('\n')
}
