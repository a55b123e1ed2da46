import type { Report, SuiteProof, Verdict } from '../../harness/report.ts'
import { proofSentence } from '../proof/sentence.ts'
import { verdictReason, verdictWords } from '../verdict-sentence.ts'
import { duration, moment, number } from '../words.ts'
import { counted, mark, paints, verdicts } from './marks.ts'
import { type Markup, markup } from './markup.ts'

const markOf = { conformant: 'holds', 'non-conformant': 'violated', 'not-verified': 'not-verified' } as const
const levels = ['MUST', 'SHOULD', 'MAY'] as const

/** The verdict and why, the shares of each level, and all that is needed to repeat the run. */
export function masthead(report: Report, matrix?: string): Markup {
  const { verdict } = report.summary
  const shape = markOf[verdict]
  return markup`<header class="verdict ${shape}">
<p class="brand">Assay <span>conformance report</span></p>
<div class="headline">${mark(shape, 64)}<div><h1>${verdictWords[verdict]}</h1><p class="why">${verdictReason(report)}</p></div></div>
<div class="shares">${levels.map((level) => share(level, report))}</div>
<dl class="facts">${targets(report)}${facts(report).map(([term, text]) => markup`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>
${report.proof && markup`<p class="proof">${trust(report.proof, matrix)}</p>`}
<div class="command copied"><button type="button" class="copy" hidden>Copy</button><pre>${report.command}</pre></div>
</header>`
}

/** How far the suites can be trusted, with a link to what that rests on where it lies beside the report. */
function trust(proof: SuiteProof, matrix: string | undefined): Markup {
  const sentence = proofSentence(proof)
  const words = markup`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
  return matrix === undefined
    ? markup`${words}.`
    : markup`${words}: <a href="${matrix}">which requirement catches which</a>.`
}

function targets({ targets: all }: Report): Markup[] {
  return Object.entries(all).map(
    ([name, { url }]) => markup`<div class="target"><dt>${name}</dt><dd><code>${url}</code></dd></div>`,
  )
}

const facts = ({
  spec,
  profile,
  seed,
  startedAt,
  durationMs,
  namespace,
  tool,
}: Report): [string, string][] => [
  ['OCI Distribution', spec === 'dev' ? 'main branch' : spec],
  ['profile', profile],
  ['seed', String(seed)],
  ['started', moment(startedAt)],
  ['took', duration(durationMs)],
  ['namespace', namespace],
  ['Assay', tool.version],
]

function share(level: (typeof levels)[number], { summary }: Report): Markup | undefined {
  const counts = summary.byLevel[level]
  const present = verdicts.filter((verdict) => counts[verdict] > 0)
  if (present.length === 0) return undefined
  const words = present.map(
    (verdict) =>
      markup`<a href="#/?level=${level}&v=${verdict}">${mark(verdict, 12)} <b>${number(counts[verdict])}</b> ${counted(verdict, counts[verdict])}</a> `,
  )
  return markup`<div class="share"><h2>${level}</h2>${bar(counts)}<p>${words}</p></div>`
}

/** Counts of verdicts as a bar; what is too small to be seen is drawn wide enough to be seen. */
export function bar(counts: Readonly<Record<Verdict, number>>): Markup {
  const present = verdicts.filter((verdict) => counts[verdict] > 0)
  const total = present.reduce((sum, verdict) => sum + counts[verdict], 0)
  const widths = present.map((verdict) => Math.max(1.2, (100 * counts[verdict]) / total))
  const scale = 100 / widths.reduce((sum, width) => sum + width, 0)
  let x = 0
  const parts = present.map((verdict, index) => {
    const width = (widths[index] ?? 0) * scale
    const part = markup`<rect class="${verdict}" x="${x.toFixed(2)}%" width="${width.toFixed(2)}%" height="8" fill="${paints[verdict]}"/>`
    x += width
    return part
  })
  return markup`<svg class="bar" width="100%" height="8" aria-hidden="true">${parts}</svg>`
}
