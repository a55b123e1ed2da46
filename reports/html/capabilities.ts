import type { Report } from '../../harness/report.ts'
import { type Markup, markup } from './markup.ts'

/** What the targets offer, and how that was found out. */
export function capabilitiesSection({ capabilities }: Report): Markup | undefined {
  const all = Object.entries(capabilities).sort(([, a], [, b]) => Number(b.offered) - Number(a.offered))
  if (all.length === 0) return undefined
  const rows = all.map(
    ([name, { offered, reason, cause }]) =>
      markup`<tr class="${offered ? 'offered' : 'absent'}"><th scope="row"><code>${name}</code></th><td>${offered ? 'offered' : cause === 'not-configured' ? 'not configured' : 'absent'}</td><td>${reason}</td></tr>`,
  )
  return markup`<section id="capabilities"><h2>Capabilities</h2>
<div class="scroll"><table class="capabilities"><thead><tr><th scope="col">capability</th><th scope="col"></th><th scope="col">how it was found</th></tr></thead><tbody>${rows}</tbody></table></div></section>`
}
