import type { Report } from '../../harness/report.ts'
import { residueSentences } from '../residue.ts'
import { type Markup, markup } from './markup.ts'

/** What the run made and could not remove. */
export function residueSection({ cleanup }: Report): Markup | undefined {
  const sentences = residueSentences(cleanup?.residue)
  if (sentences.length === 0) return undefined
  return markup`<section id="residue"><h2>Left on the targets</h2>
<p class="lead">The run made these and could not remove them.</p>
<ul>${sentences.map((sentence) => markup`<li>${sentence}</li>`)}</ul></section>`
}
