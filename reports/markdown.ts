import type { Report, RequirementResult, Verdict } from '../harness/report.ts'
import { exchangeLine, requestText, responseText } from './exchange-text.ts'
import { causeWords, decisive, findings, notVerified, remark } from './findings.ts'
import { code, fenced, inline, link } from './markdown-text.ts'
import { proofSentence } from './proof/sentence.ts'
import { residueSentences } from './residue.ts'
import { verdictReason, verdictWords } from './verdict-sentence.ts'
import { clipped, duration, moment, number, plural } from './words.ts'

/** GitHub throws a whole summary away when it is over 1 MiB. */
const limit = 900_000

/** The report as a summary for a pull request: GitHub's Markdown, at most 900 kB, the findings folded. */
export function markdown(report: Report): string {
  const { errors, violated, deviates, known, mended } = findings(report)
  const head = [heading(report), matrix(report)]
  const foot = [baseline(known, mended), unverified(report), leftBehind(report), about(report)].filter(
    (block) => block !== '',
  )
  const room = limit - Buffer.byteLength([...head, ...foot].join('\n\n')) - 200
  const details = within(room, [...violated, ...errors, ...deviates].map(finding))
  return `${[...head, ...details, ...foot].join('\n\n')}\n`
}

/** As many blocks as there is room for, with a line for the others. */
function within(room: number, blocks: readonly string[]): string[] {
  let left = room
  const fitting = blocks.findIndex((block) => {
    left -= Buffer.byteLength(block) + 2
    return left < 0
  })
  if (fitting < 0) return [...blocks]
  return [
    ...blocks.slice(0, fitting),
    `… and ${plural(blocks.length - fitting, 'more finding')} in the full report.`,
  ]
}

const marks: Readonly<Record<Verdict, string>> = {
  holds: '✅',
  violated: '❌',
  deviates: '⚠️',
  'not-verified': '⚪',
  error: '🟣',
}

const titles: readonly (readonly [Verdict, string])[] = [
  ['holds', 'hold'],
  ['violated', 'violated'],
  ['deviates', 'deviate'],
  ['not-verified', 'not verified'],
  ['error', 'error'],
]

function heading(report: Report): string {
  const mark = { conformant: '✅', 'non-conformant': '❌', 'not-verified': '⚪' }[report.summary.verdict]
  const targets = Object.entries(report.targets).map(([name, { url }]) => `${name} ${code(url)}`)
  return `## ${mark} ${verdictWords[report.summary.verdict]}\n\n${inline(verdictReason(report))}\n\n${targets.join(' · ')}`
}

function matrix({ summary }: Report): string {
  const used = titles.filter(([verdict]) => verdict === 'holds' || summary.byVerdict[verdict] > 0)
  const rows = Object.entries(summary.byInterface).flatMap(([name, levels]) =>
    (['MUST', 'SHOULD', 'MAY'] as const)
      .filter((level) => Object.values(levels[level]).some((count) => count > 0))
      .map(
        (level) =>
          `| ${name} | ${level} | ${used.map(([verdict]) => number(levels[level][verdict])).join(' | ')} |`,
      ),
  )
  const head = `| | | ${used.map(([verdict, title]) => `${marks[verdict]} ${title}`).join(' | ')} |`
  return [head, `| --- | --- |${' ---: |'.repeat(used.length)}`, ...rows].join('\n')
}

function finding(result: RequirementResult): string {
  const { id, level, verdict, statement, expected, seen, source, reproduce } = result
  const exchange = decisive(result)
  return [
    `<details${verdict === 'violated' ? ' open' : ''}><summary>${marks[verdict]} <code>${id}</code> · ${level} · ${verdict}</summary>`,
    inline(statement),
    expected === undefined ? '' : `**Expected**\n${fenced(expected)}`,
    seen === undefined ? '' : `**Seen**\n${fenced(seen)}`,
    inline(remark(result)),
    link(`${source.document}, ${source.section}`, source.url),
    exchange
      ? `${code(exchangeLine(exchange))}\n${fenced(clipped(`${requestText(exchange)}\n\n${responseText(exchange)}`, 4096), 'http')}`
      : '',
    reproduce
      ? `<details><summary>Repeat with curl</summary>\n\n${fenced(clipped(reproduce, 16_384), 'sh')}\n\n</details>`
      : '',
    '</details>',
  ]
    .filter((block) => block !== '')
    .join('\n\n')
}

function baseline(known: readonly RequirementResult[], mended: readonly RequirementResult[]): string {
  return [
    ...known.map(
      ({ id, baseline: entry }) =>
        `- ${code(id)} is known: ${inline(entry?.reason ?? '')}, until ${entry?.expires}`,
    ),
    ...mended.map(({ id }) => `- ${code(id)} holds now: remove it from the baseline`),
  ].join('\n')
}

function unverified(report: Report): string {
  const groups = notVerified(report)
  if (groups.length === 0) return ''
  const shown = groups
    .slice(0, 40)
    .map(
      ({ cause, reason, results }) =>
        `| ${number(results.length)} | ${causeWords[cause]} | ${inline(reason)} |`,
    )
  const rest = groups.slice(40).flatMap(({ results }) => results).length
  return [
    `<details><summary>${marks['not-verified']} ${plural(report.summary.byVerdict['not-verified'], 'requirement')} not verified</summary>\n`,
    '| | why | |\n| ---: | --- | --- |',
    ...shown,
    ...(rest > 0 ? [`| ${number(rest)} | | for other reasons |`] : []),
    '\n</details>',
  ].join('\n')
}

function leftBehind(report: Report): string {
  const sentences = residueSentences(report.cleanup?.residue)
  if (sentences.length === 0) return ''
  return ['Left on the targets:\n', ...sentences.map((each) => `- ${inline(each)}`)].join('\n')
}

function about({ seed, profile, spec, startedAt, durationMs, command, tool, proof }: Report): string {
  const trust = proof ? ` · ${proofSentence(proof)}` : ''
  return `<sub>Assay ${tool.version} · profile ${profile} · OCI ${spec} · seed ${seed} · ${moment(startedAt)} · ${duration(durationMs)}${trust}</sub>\n\n${fenced(command, 'sh')}`
}
