import type { Source } from '../../harness/requirement.ts'
import { type Markup, markup } from './markup.ts'

/** The place in the specification: a link where the address is one of the web. */
export function sourceLink({ document, section, url }: Source): Markup {
  const text = markup`${document}${section && `, ${section}`}`
  return /^https?:\/\//.test(url) ? markup`<a href="${url}" rel="noreferrer">${text}</a>` : text
}
