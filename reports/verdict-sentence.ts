import type { Report, SummaryVerdict } from '../harness/report.ts'
import { number, plural } from './words.ts'

/** The verdict as a headline has it. */
export const verdictWords: Readonly<Record<SummaryVerdict, string>> = {
  conformant: 'Conformant',
  'non-conformant': 'Not conformant',
  'not-verified': 'Not verified',
}

/** Why the verdict is what it is, in one sentence: `2 of 314 MUSTs are violated; 3 could not be verified.` */
export function verdictReason({ summary }: Report): string {
  const { MUST } = summary.byLevel
  if (summary.reasons.length > 0) {
    const shown = summary.reasons.slice(0, 3).map((reason) => reason.trim().replace(/\.$/, ''))
    const more = summary.reasons.length - shown.length
    return `${[...shown, ...(more > 0 ? [`and ${plural(more, 'more reason')}`] : [])].join('; ')}.`
  }
  const judged = MUST.holds + MUST.violated
  if (summary.verdict === 'conformant')
    return `Every MUST that applies was verified and holds: ${number(MUST.holds)} of them.`
  if (MUST.violated > 0)
    return `${number(MUST.violated)} of ${plural(judged, 'verified MUST')} ${MUST.violated === 1 ? 'is' : 'are'} violated.`
  return judged === 0 ? 'No MUST was verified.' : 'Not every MUST that applies was verified.'
}

/** The verdict and its reason: `Not conformant: 2 of 314 MUSTs are violated.` */
export function verdictSentence(report: Report): string {
  return `${verdictWords[report.summary.verdict]}: ${verdictReason(report)}`
}
