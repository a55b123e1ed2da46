import type { Report } from '../harness/report.ts'
import { findings } from './findings.ts'
import { capabilitiesSection } from './html/capabilities.ts'
import { asset, document } from './html/document.ts'
import { type Evidence, findingsSection } from './html/finding.ts'
import { packed } from './html/held.ts'
import { sprite } from './html/marks.ts'
import { type Markup, markup } from './html/markup.ts'
import { masthead } from './html/masthead.ts'
import { matrixSection } from './html/matrix.ts'
import { requirementsSection } from './html/requirements.ts'
import { residueSection } from './html/residue.ts'
import { unverifiedSection } from './html/unverified.ts'
import { verdictSentence, verdictWords } from './verdict-sentence.ts'

const style = ['page', 'masthead', 'findings', 'requirements', 'media']
  .map((part) => asset(`${part}.css`))
  .join('')
const client = asset('client.js')

/** Viewers of build artifacts refuse much more, and people wait for it. */
const sizeLimit = 3_000_000

interface Detail {
  readonly findings: Evidence
  /** Share of the requirements that are no findings whose exchanges are in the page. */
  readonly held: number
}

/** From all evidence to hardly any; what holds loses its evidence first. */
const details: readonly Detail[] = [
  { findings: 'all', held: 1 },
  { findings: 'all', held: 0.5 },
  { findings: 'all', held: 0 },
  { findings: 'decisive', held: 0 },
  { findings: 'none', held: 0 },
]

export interface HtmlOptions {
  /** Three million bytes unless told. */
  readonly limit?: number
  /** Where the page lies that shows which requirement catches which fault, relative to the report. */
  readonly matrix?: string
}

/**
 * The report as a page of one file that needs no network, and no script to be read.
 * Evidence is left out, and the page says so, rather than exceed the limit of bytes.
 */
export function html(report: Report, { limit = sizeLimit, matrix }: HtmlOptions = {}): string {
  let text = ''
  for (const detail of details) {
    text = page(report, detail, matrix)
    if (Buffer.byteLength(text) <= limit) break
  }
  return text
}

function page(report: Report, detail: Detail, matrix: string | undefined): string {
  const proven = report.requirements.filter(
    ({ verdict, exchanges }) => (verdict === 'holds' || verdict === 'not-verified') && exchanges.length > 0,
  )
  const kept = proven.slice(0, Math.ceil(proven.length * detail.held))
  return document({
    title: title(report),
    description: verdictSentence(report),
    icon: icons[report.summary.verdict],
    style,
    script: client,
    body: markup`${sprite}
${navigation(report)}
<main>
${masthead(report, matrix)}
${findingsSection(report, detail.findings)}
${unverifiedSection(report)}
${residueSection(report)}
${matrixSection(report)}
${capabilitiesSection(report)}
${requirementsSection(report, new Set(kept.map(({ id }) => id)))}
</main>
<footer><p>Made by Assay ${report.tool.version}. The same run as data: report.json. Keys: <kbd>j</kbd> and <kbd>k</kbd> go through the findings, <kbd>/</kbd> searches.</p></footer>
${kept.length > 0 && packed(kept)}`,
  })
}

const icons = { conformant: 'well', 'non-conformant': 'wrong', 'not-verified': 'unknown' } as const

function title({ summary, targets }: Report): string {
  const [first] = Object.values(targets)
  return [
    verdictWords[summary.verdict],
    ...(first ? [first.url.replace(/^https?:\/\//, '')] : []),
    'Assay',
  ].join(' · ')
}

function navigation(report: Report): Markup {
  const { violated, errors, deviates, known } = findings(report)
  const failures = violated.length + errors.length + deviates.length
  const unverified = report.summary.byVerdict['not-verified']
  const link = (id: string, name: string, count?: number) =>
    markup`<a href="#${id}">${name}${count !== undefined && markup` <span class="count">${count}</span>`}</a> `
  return markup`<nav aria-label="Sections">${failures + known.length > 0 && link('findings', 'Findings', failures)}${unverified > 0 && link('not-verified', 'Not verified', unverified)}${link('matrix', 'Matrix')}${Object.keys(report.capabilities).length > 0 && link('capabilities', 'Capabilities')}${link('requirements', 'Requirements')}<button type="button" id="theme" hidden>Theme</button></nav>`
}
