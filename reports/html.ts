import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Report } from '../harness/report.ts'
import { findings } from './findings.ts'
import { capabilitiesSection } from './html/capabilities.ts'
import { type Evidence, findingsSection } from './html/finding.ts'
import { packed } from './html/held.ts'
import { sprite } from './html/marks.ts'
import { type Markup, markup, trusted } from './html/markup.ts'
import { masthead } from './html/masthead.ts'
import { matrixSection } from './html/matrix.ts'
import { requirementsSection } from './html/requirements.ts'
import { residueSection } from './html/residue.ts'
import { unverifiedSection } from './html/unverified.ts'
import { verdictSentence, verdictWords } from './verdict-sentence.ts'

const asset = (name: string) => readFileSync(new URL(`./html/${name}`, import.meta.url), 'utf8')
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

/**
 * The report as a page of one file that needs no network, and no script to be read.
 * Evidence is left out, and the page says so, rather than exceed `limit` bytes.
 */
export function html(report: Report, limit = sizeLimit): string {
  let text = ''
  for (const detail of details) {
    text = page(report, detail)
    if (Buffer.byteLength(text) <= limit) break
  }
  return text
}

function page(report: Report, detail: Detail): string {
  const proven = report.requirements.filter(
    ({ verdict, exchanges }) => (verdict === 'holds' || verdict === 'not-verified') && exchanges.length > 0,
  )
  const kept = proven.slice(0, Math.ceil(proven.length * detail.held))
  return String(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${verdictSentence(report)}">
<title>${title(report)}</title>
<link rel="icon" href="${icon(report)}">
<style>${trusted(style)}</style>
</head>
<body>
${sprite}
${navigation(report)}
<main>
${masthead(report)}
${findingsSection(report, detail.findings)}
${unverifiedSection(report)}
${residueSection(report)}
${matrixSection(report)}
${capabilitiesSection(report)}
${requirementsSection(report, new Set(kept.map(({ id }) => id)))}
</main>
<footer><p>Made by Assay ${report.tool.version}. The same run as data: report.json. Keys: <kbd>j</kbd> and <kbd>k</kbd> go through the findings, <kbd>/</kbd> searches.</p></footer>
${kept.length > 0 && packed(kept)}
<script type="module">${trusted(client)}</script>
</body>
</html>
`)
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing is loaded, and nothing that a target slipped in could run. */
const policy = `default-src 'none'; script-src ${hash(client)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`

function title({ summary, targets }: Report): string {
  const [first] = Object.values(targets)
  return [
    verdictWords[summary.verdict],
    ...(first ? [first.url.replace(/^https?:\/\//, '')] : []),
    'Assay',
  ].join(' · ')
}

const colours = { conformant: '#1b7f5c', 'non-conformant': '#c6341f', 'not-verified': '#69707d' } as const

function icon({ summary }: Report): string {
  const drawing = {
    conformant: '<path d="m4.5 8.5 2.5 2.5 5-5.5"/>',
    'non-conformant': '<path d="m5 5 6 6m0-6-6 6"/>',
    'not-verified': '<path d="M4.5 8h7"/>',
  }[summary.verdict]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="${colours[summary.verdict]}"/><g fill="none" stroke="#fff" stroke-width="2">${drawing}</g></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function navigation(report: Report): Markup {
  const { violated, errors, deviates, known } = findings(report)
  const failures = violated.length + errors.length + deviates.length
  const unverified = report.summary.byVerdict['not-verified']
  const link = (id: string, name: string, count?: number) =>
    markup`<a href="#${id}">${name}${count !== undefined && markup` <span class="count">${count}</span>`}</a> `
  return markup`<nav aria-label="Sections">${failures + known.length > 0 && link('findings', 'Findings', failures)}${unverified > 0 && link('not-verified', 'Not verified', unverified)}${link('matrix', 'Matrix')}${Object.keys(report.capabilities).length > 0 && link('capabilities', 'Capabilities')}${link('requirements', 'Requirements')}<button type="button" id="theme" hidden>Theme</button></nav>`
}
