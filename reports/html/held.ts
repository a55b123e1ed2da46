import { gzipSync } from 'node:zlib'
import type { RequirementResult } from '../../harness/report.ts'
import { script, timeline } from './exchange.ts'
import { type Markup, markup } from './markup.ts'

/** Evidence that the page carries packed, as HTML by id: gzip in base64, for the script of the page to unpack. */
export function packed(results: readonly RequirementResult[]): Markup {
  const evidence = results.map(({ id, exchanges, reproduce }) => [
    id,
    String(markup`${timeline(exchanges)}${reproduce !== undefined && script(reproduce)}`),
  ])
  const bytes = gzipSync(JSON.stringify(Object.fromEntries(evidence)))
  return markup`<script type="application/gzip" id="held">${bytes.toString('base64')}</script>`
}
