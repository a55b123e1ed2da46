import type { Report, RequirementResult } from '../../harness/report.ts'
import { decisive, type Findings, findings, remark } from '../findings.ts'
import { plural } from '../words.ts'
import { exchangeCount, script, timeline } from './exchange.ts'
import { mark, names } from './marks.ts'
import { type Markup, markup } from './markup.ts'
import { sourceLink } from './source-link.ts'

/** How much of the evidence of findings is in the page. */
export type Evidence = 'all' | 'decisive' | 'none'

/** With more findings than this, a reader wants to see their sentences first. */
const mostOpen = 12

/** What a reader has to look at, the most serious first, each with its evidence. */
export function findingsSection(report: Report, evidence: Evidence): Markup | undefined {
  const all = findings(report)
  const failures = [...all.violated, ...all.errors, ...all.deviates]
  if (failures.length + all.known.length + all.mended.length === 0) return undefined
  return markup`<section id="findings"><h2>Findings <span class="count">${failures.length}</span></h2>
${failures.map((result, index) => finding(result, evidence, result.verdict !== 'deviates' && (failures.length <= mostOpen || index < mostOpen / 2)))}
${baseline(all, evidence)}</section>`
}

function finding(result: RequirementResult, evidence: Evidence, open: boolean): Markup {
  const { id, verdict, level, statement, expected, seen, source } = result
  const reason = remark(result)
  return markup`<article class="finding ${verdict}" id="${id}"><details${open && markup` open`}><summary>${mark(verdict, 20)}<span class="title"><strong>${statement}</strong><code>${id}</code></span><span class="tag ${verdict}">${level} ${names[verdict]}</span></summary>
<div class="inside">${comparison(expected, seen)}
${reason && markup`<p class="reason">${reason}</p>`}
<p class="source">${sourceLink(source)} · ${result.interface} · <a href="#${id}">link to this finding</a></p>
${proof(result, evidence)}</div></details></article>`
}

/** What was asked for and what came, side by side. */
export function comparison(expected: string | undefined, seen: string | undefined): Markup | undefined {
  if (expected === undefined && seen === undefined) return undefined
  return markup`<div class="comparison">${expected !== undefined && markup`<div class="expected"><h4>Expected</h4><pre>${expected}</pre></div>`}${seen !== undefined && markup`<div class="seen"><h4>Seen</h4><pre>${seen}</pre></div>`}</div>`
}

function proof(result: RequirementResult, evidence: Evidence): Markup {
  const deciding = decisive(result)
  const shown = evidence === 'all' ? result.exchanges : evidence === 'decisive' && deciding ? [deciding] : []
  const left = result.exchanges.length - shown.length
  const note =
    left > 0 &&
    markup`<p class="omitted">${plural(left, 'exchange')} left out to keep this page small; report.json has ${left === 1 ? 'it' : 'them'}.</p>`
  return markup`${shown.length > 0 && markup`<h4>${exchangeCount(shown)}</h4>${timeline(shown, deciding)}`}${note}${evidence !== 'none' && result.reproduce ? script(result.reproduce) : undefined}`
}

function baseline({ known, mended }: Findings, evidence: Evidence): Markup | undefined {
  if (known.length + mended.length === 0) return undefined
  return markup`<h3>Baseline</h3>
${mended.map(({ id }) => markup`<p class="mended">${mark('holds')} <a href="#${id}"><code>${id}</code></a> holds now: remove it from the baseline.</p>`)}
${known.map((result) => markup`<p class="known">Known until ${result.baseline?.expires}: ${result.baseline?.reason}</p>${finding(result, evidence, false)}`)}`
}
