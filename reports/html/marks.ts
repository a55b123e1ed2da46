import type { Verdict } from '../../harness/report.ts'
import { type Markup, markup, trusted } from './markup.ts'

/** How a page calls each verdict. */
export const names: Readonly<Record<Verdict, string>> = {
  holds: 'holds',
  violated: 'violated',
  deviates: 'deviates',
  'not-verified': 'not verified',
  error: 'error of Assay',
}

/** A verdict after the number of requirements that have it: `holds` of one, `hold` of several. */
export function counted(verdict: Verdict, count: number): string {
  const several = { ...names, holds: 'hold', deviates: 'deviate', error: 'errors of Assay' }
  return (count === 1 ? names : several)[verdict]
}

/** What each verdict is painted with where no style sheet is let in. */
export const paints: Readonly<Record<Verdict, string>> = {
  holds: '#1a7a58',
  violated: '#c2321d',
  deviates: '#94630a',
  'not-verified': '#667080',
  error: '#7838b0',
}

/** All verdicts, in the order of a row of counts. */
export const verdicts: readonly Verdict[] = ['holds', 'violated', 'deviates', 'not-verified', 'error']

// Each verdict has a shape of its own, as colour alone tells too little to too many.
const shapes: Readonly<Record<Verdict, string>> = {
  holds:
    '<circle cx="8" cy="8" r="7.5" fill="currentColor"/><path d="m4.7 8.3 2.3 2.3 4.4-4.9" class="cut"/>',
  violated:
    '<path d="M4.9.5h6.2l4.4 4.4v6.2l-4.4 4.4H4.9L.5 11.1V4.9z" fill="currentColor"/><path d="m5.3 5.3 5.4 5.4m0-5.4-5.4 5.4" class="cut"/>',
  deviates:
    '<path d="M8 1 15.6 14.6H.4z" fill="currentColor" stroke="currentColor" stroke-linejoin="round"/><path d="M8 5.8v4m0 1.9v.6" class="cut"/>',
  'not-verified':
    '<circle cx="8" cy="8" r="6.7" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.8 1.41"/><path d="M5.2 8h5.6" stroke="currentColor" stroke-width="1.6"/>',
  error:
    '<path d="M8 .4 15.6 8 8 15.6.4 8z" fill="currentColor"/><path d="M8 4.4v4.4m0 1.9v.7" class="cut"/>',
}

/** The shapes once, for `mark` to point at. */
export const sprite: Markup = markup`<svg width="0" height="0" aria-hidden="true" class="sprite">${verdicts.map(
  (verdict) =>
    markup`<symbol id="mark-${verdict}" viewBox="0 0 16 16"><g fill="none" stroke="none">${trusted(shapes[verdict].replaceAll('class="cut"', 'class="cut" stroke="#fff" stroke-width="1.7"'))}</g></symbol>`,
)}<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" class="violated" fill="currentColor" color="${paints.violated}"/><rect width="2" height="5" class="cut-fill" fill="#fff" opacity=".35"/></pattern></svg>`

/** The shape of a verdict, in its colour; `named` where no word beside it says the same. */
export function mark(verdict: Verdict, size = 16, named = false): Markup {
  const name = named ? markup`role="img" aria-label="${names[verdict]}"` : markup`aria-hidden="true"`
  return markup`<svg class="mark ${verdict}" color="${paints[verdict]}" width="${size}" height="${size}" ${name}><use href="#mark-${verdict}"/></svg>`
}
