import type { Report } from '../../harness/report.ts'
import { causeWords, notVerified } from '../findings.ts'
import { number } from '../words.ts'
import { type Markup, markup } from './markup.ts'

/** What was not verified, by the reason, which says what would have to be given. */
export function unverifiedSection(report: Report): Markup | undefined {
  const groups = notVerified(report)
  if (groups.length === 0) return undefined
  return markup`<section id="not-verified"><h2>Not verified <span class="count">${number(report.summary.byVerdict['not-verified'])}</span></h2>
<p class="lead">Nothing is said of these. A prerequisite that failed keeps the run from being conformant; the other causes do not.</p>
<div class="panel">${groups.map(
    ({
      cause,
      reason,
      results,
    }) => markup`<details class="group"><summary><b>${number(results.length)}</b><span class="title">${reason}</span><span class="tag ${cause}">${causeWords[cause]}</span></summary>
<ul>${results.map(({ id, level, statement }) => markup`<li><a href="#${id}"><code>${id}</code></a> <small>${level}</small> ${statement}</li>`)}</ul></details>`,
  )}</div></section>`
}
