import pc from 'picocolors'
import type { Report, RequirementResult, Verdict } from '../harness/report.ts'
import { bodyText, exchangeLine } from './exchange-text.ts'
import { causeWords, decisive, findings, notVerified, remark } from './findings.ts'
import { folded } from './folded.ts'
import { printable } from './printable.ts'
import { proofSentence } from './proof/sentence.ts'
import { residueSentences } from './residue.ts'
import { verdictSentence } from './verdict-sentence.ts'
import { duration, number, plural, shortened } from './words.ts'

export interface TerminalOptions {
  readonly colour: boolean
  /** Columns; lines of prose are broken there. */
  readonly width: number
  /** Reports that were written, by their path. */
  readonly paths?: readonly string[]
}

type Paint = ReturnType<typeof pc.createColors>

interface Style {
  readonly paint: Paint
  readonly width: number
  readonly htmlPath: string | undefined
}

/** A target that fails everything would fill the screen with the same again: after these, ids and sentences are enough. */
const inFull = 30

/** The end of a run for a reader at a terminal: what was verified, each finding with its evidence, and the verdict last. */
export function terminal(report: Report, { colour, width, paths = [] }: TerminalOptions): string {
  const htmlPath = paths.find((path) => path.endsWith('.html'))
  const style: Style = { paint: pc.createColors(colour), width: Math.max(40, Math.min(width, 100)), htmlPath }
  const { errors, violated, deviates, known, mended } = findings(report)
  const failures = [...violated, ...errors]
  const blocks = [
    matrix(report, style),
    ...failures.slice(0, inFull).map((result) => finding(result, style)),
    failures.slice(inFull).flatMap((result) => [title(result, style), ...prose(result.statement, style)]),
    deviations(deviates, style),
    baseline(known, mended, style),
    unverified(report, style),
    leftBehind(report, style),
    ending(report, paths, style),
  ]
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`
}

const columns: readonly (readonly [Verdict, string])[] = [
  ['holds', 'hold'],
  ['violated', 'violated'],
  ['deviates', 'deviate'],
  ['not-verified', 'not verified'],
  ['error', 'error'],
]

const marks: Readonly<
  Record<Verdict, readonly [mark: string, colour: 'green' | 'red' | 'yellow' | 'dim' | 'magenta']>
> = {
  holds: ['✓', 'green'],
  violated: ['✗', 'red'],
  deviates: ['△', 'yellow'],
  'not-verified': ['○', 'dim'],
  error: ['!', 'magenta'],
}

/** What nobody asked for, because it was not named or left out, has no row; the list of what is open counts it. */
const asked = ({ cause }: RequirementResult) => cause !== 'not-configured' && cause !== 'left-out'

function matrix({ summary, requirements }: Report, { paint }: Style): string[] {
  const used = columns.filter(([verdict]) => verdict === 'holds' || summary.byVerdict[verdict] > 0)
  const judged = new Set<string>(requirements.filter(asked).map((result) => result.interface))
  const interfaces = Object.entries(summary.byInterface).filter(([name]) => judged.has(name))
  const rows = interfaces.flatMap(([name, levels]) => {
    const present = (['MUST', 'SHOULD', 'MAY'] as const).filter((level) =>
      Object.values(levels[level]).some((count) => count > 0),
    )
    return present.map((level, index) => ({ name: index === 0 ? name : '', level, counts: levels[level] }))
  })
  const head = `${''.padEnd(19)}${used.map(([, title]) => title.padStart(title.length + 3)).join('')}`
  const lines = rows.map(({ name, level, counts }) => {
    const cells = used.map(([verdict, title]) => {
      const text = (counts[verdict] === 0 ? '·' : number(counts[verdict])).padStart(title.length + 3)
      return counts[verdict] === 0 ? paint.dim(text) : paint[marks[verdict][1]](text)
    })
    return `  ${name.padEnd(10)} ${level.padEnd(6)}${cells.join('')}`
  })
  return lines.length === 0 ? [] : [paint.dim(head), ...lines]
}

function title({ id, level, verdict }: RequirementResult, { paint }: Style): string {
  const [mark, colour] = marks[verdict]
  return `${paint[colour](mark)} ${paint.bold(id)}  ${paint[colour](verdict === 'error' ? 'error of Assay' : `${level} ${verdict}`)}`
}

function finding(result: RequirementResult, style: Style): string[] {
  const { paint } = style
  const { statement, expected, seen, source } = result
  const reason = remark(result)
  const exchange = decisive(result)
  return [
    title(result, style),
    ...prose(statement, style),
    ...(expected === undefined ? [] : labelled('expected', expected, style)),
    ...(seen === undefined ? [] : labelled('seen', seen, style)),
    ...(reason === '' ? [] : prose(reason, style)),
    ...(exchange ? ['', ...evidence(exchange, style)] : []),
    '',
    `  ${paint.underline(printable(source.url))}`,
    ...script(result, style),
  ]
}

function labelled(label: string, text: string, { paint, width }: Style): string[] {
  const [first = '', ...others] = folded(printable(text), width - 13)
  return [`  ${paint.dim(label.padEnd(9))} ${first}`, ...others.map((line) => `            ${line}`)]
}

const prose = (text: string, { width }: Style) =>
  folded(printable(text), width - 2).map((line) => `  ${line}`)

const bodyLines = 6

function evidence(exchange: NonNullable<ReturnType<typeof decisive>>, { paint, width }: Style): string[] {
  const telling =
    /^(content-type|content-range|range|location|docker-content-digest|www-authenticate|link|oci-.*)$/i
  const headers = (exchange.response?.headers ?? []).filter(([name]) => telling.test(name))
  const body = exchange.response?.body ? bodyText(exchange.response.body).split('\n') : []
  const more = body.length - bodyLines
  const lines = [
    exchangeLine(exchange),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...body.slice(0, bodyLines).filter((line) => line !== ''),
    ...(more > 0 ? [`… ${plural(more, 'more line')}`] : []),
  ]
  return lines.map((line) => `  ${paint.dim('│')} ${shortened(printable(line), width - 4)}`)
}

const shortScript = 12

function script({ reproduce, id }: RequirementResult, { paint, htmlPath }: Style): string[] {
  if (!reproduce) return []
  const lines = reproduce.trimEnd().split('\n')
  if (lines.length <= shortScript) return lines.map((line) => `  ${paint.dim('$')} ${printable(line)}`)
  const place = htmlPath ? `${htmlPath}#${id}` : 'in the JSON and the HTML report'
  return [`  ${paint.dim('curl script:')} ${place}`]
}

function deviations(results: readonly RequirementResult[], style: Style): string[] {
  return results.flatMap((result) => [
    title(result, style),
    ...prose(result.statement, style),
    ...(result.seen === undefined ? prose(result.reason, style) : labelled('seen', result.seen, style)),
  ])
}

function baseline(
  known: readonly RequirementResult[],
  mended: readonly RequirementResult[],
  { paint }: Style,
): string[] {
  return [
    ...known.map(
      ({ id, baseline: entry }) =>
        `${paint.dim('–')} ${id}  known: ${printable(entry?.reason ?? '')}, until ${entry?.expires}`,
    ),
    ...mended.map(({ id }) => `${paint.green('+')} ${id}  holds now: remove it from the baseline`),
  ]
}

function unverified(report: Report, style: Style): string[] {
  const groups = notVerified(report)
  if (groups.length === 0) return []
  const { paint, width } = style
  const lines = groups.flatMap(({ cause, reason, results }, index) => {
    const [first = '', ...others] = folded(printable(reason), width - 8)
    const paintCause = cause === 'prerequisite-failed' ? paint.red : paint.dim
    return [
      ...(groups[index - 1]?.cause === cause ? [] : [`  ${paintCause(causeWords[cause])}`]),
      `  ${number(results.length).padStart(4)}  ${first}`,
      ...others.map((line) => `        ${line}`),
    ]
  })
  return [
    paint.bold(`${plural(report.summary.byVerdict['not-verified'], 'requirement')} not verified`),
    ...lines,
  ]
}

function leftBehind(report: Report, style: Style): string[] {
  const sentences = residueSentences(report.cleanup?.residue)
  if (sentences.length === 0) return []
  return [style.paint.bold('Left on the targets'), ...sentences.flatMap((each) => prose(each, style))]
}

function ending(report: Report, paths: readonly string[], { paint, width }: Style): string[] {
  const { verdict } = report.summary
  const colour = ({ conformant: 'green', 'non-conformant': 'red', 'not-verified': 'yellow' } as const)[
    verdict
  ]
  const [first = '', ...others] = folded(verdictSentence(report), width)
  const sentence = [first, ...others].map((line) => paint.bold(paint[colour](line)))
  const about = `seed ${report.seed} · ${report.profile} · OCI ${report.spec} · ${duration(report.durationMs)}`
  const trust = report.proof ? [paint.dim(proofSentence(report.proof))] : []
  return [...sentence, paint.dim(about), ...trust, ...paths.map((path) => `${paint.dim('→')} ${path}`)]
}
