import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ComparedRequirement, Comparison } from '../comparison.ts'
import { mark, names, sprite } from '../html/marks.ts'
import { type Markup, markup, trusted } from '../html/markup.ts'
import { bar } from '../html/masthead.ts'
import { duration, number, plural } from '../words.ts'
import { countRows } from './counts.ts'
import { changeSections } from './sections.ts'

const asset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const style = ['../html/page.css', '../html/masthead.css', '../html/findings.css', 'comparison.css']
  .map(asset)
  .join('')

/** Nothing is loaded, and nothing runs. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** Runs side by side as a page of one file that needs neither network nor script. */
export function comparedHtml(comparison: Comparison): string {
  const { runs, rows, changes, caveats } = comparison
  const sections = changes ? changeSections(changes) : []
  return String(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title(comparison)} · Assay</title>
<style>${trusted(style)}</style>
</head>
<body>
${sprite}
<main>
<header class="verdict"><p class="brand">Assay <span>runs compared</span></p><h1>${title(comparison)}</h1>
${caveats.map((caveat) => markup`<p class="why">${caveat}</p>`)}</header>
<section id="runs"><h2>Runs</h2><div class="scroll">${runsTable(comparison)}</div></section>
<section id="counts"><h2>Counts</h2><div class="scroll">${countsTable(comparison)}</div></section>
${sections.map(
  ([name, listed]) =>
    markup`<section><h2>${name} <span class="count">${number(listed.length)}</span></h2><div class="scroll">${rowsTable(listed, runs.length)}</div></section>`,
)}
<section id="differences"><h2>Where they do not agree <span class="count">${number(rows.length)}</span></h2>
${rows.length === 0 ? markup`<p class="lead">They agree on every requirement.</p>` : markup`<div class="scroll">${rowsTable(rows, runs.length)}</div>`}</section>
</main>
<footer><p>Made by Assay from ${plural(runs.length, 'report')}.</p></footer>
</body>
</html>
`)
}

function title({ changes, rows }: Comparison): string {
  if (!changes) return `${plural(rows.length, 'difference')}`
  const { broken, mended } = changes
  if (broken.length > 0) return `${number(broken.length)} newly violated`
  return mended.length > 0 ? `${number(mended.length)} mended` : 'Nothing broke'
}

function runsTable({ runs }: Comparison): Markup {
  return markup`<table class="compared"><thead><tr><th scope="col"></th><th scope="col">run</th><th scope="col">verdict</th><th scope="col">rules</th><th scope="col">took</th><th scope="col" class="wide"></th></tr></thead><tbody>${runs.map(
    ({ name, report: { summary, profile, spec, durationMs } }, index) =>
      markup`<tr><th scope="row">${index + 1}</th><td><code>${name}</code></td><td class="whole">${summary.verdict}</td><td class="whole">${profile}, OCI ${spec}</td><td class="number">${duration(durationMs)}</td><td>${bar(summary.byVerdict)}</td></tr>`,
  )}</tbody></table>`
}

function countsTable({ runs }: Comparison): Markup {
  return markup`<table class="compared"><thead><tr><td></td><td></td>${runs.map((_, index) => markup`<th scope="col" class="number">${index + 1}</th>`)}</tr></thead><tbody>${countRows(
    runs,
  ).map(
    ({ level, verdict, counts }) =>
      markup`<tr><th scope="row">${level}</th><td>${mark(verdict, 12)} ${names[verdict]}</td>${counts.map((count) => markup`<td class="number">${count === 0 ? '·' : number(count)}</td>`)}</tr>`,
  )}</tbody></table>`
}

function rowsTable(rows: readonly ComparedRequirement[], runs: number): Markup {
  return markup`<table class="compared"><thead><tr><th scope="col">requirement</th><th scope="col">level</th>${Array.from({ length: runs }, (_, index) => markup`<th scope="col" class="cell">${index + 1}</th>`)}</tr></thead><tbody>${rows.map(
    ({ id, level, statement, verdicts }) =>
      markup`<tr><th scope="row"><code>${id}</code><br><small>${statement}</small></th><td>${level}</td>${verdicts.map((verdict) => markup`<td class="cell">${verdict ? mark(verdict, 16, true) : markup`<span title="left out">·</span>`}</td>`)}</tr>`,
  )}</tbody></table>`
}
