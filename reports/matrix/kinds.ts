import type { FaultKind } from '../../harness/fault.ts'
import { type Markup, markup } from '../html/markup.ts'

/** Every kind of fault, the gravest first. */
export const kinds: readonly FaultKind[] = ['corruption', 'security', 'interoperability', 'cosmetic']

/** What a fault of each kind does to people, for a reader of the page. */
export const kindWords: Readonly<Record<FaultKind, string>> = {
  corruption: 'loses bytes, or gives others',
  security: 'lets somebody at what is not theirs',
  interoperability: 'fails a client that follows the specification',
  cosmetic: 'misleads a person or a log',
}

/** The kind as a small label. */
export const kindTag = (kind: FaultKind): Markup => markup`<b class="kind ${kind}">${kind}</b>`
