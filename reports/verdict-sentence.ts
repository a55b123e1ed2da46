import type { Report, SummaryVerdict } from '../harness/report.ts'
import { number, plural } from './words.ts'

/** The verdict as a headline has it. */
export const verdictWords: Readonly<Record<SummaryVerdict, string>> = {
  conformant: 'Conformant',
  'non-conformant': 'Non-conformant',
  'not-verified': 'Not verified',
}

/** Why the verdict is what it is: `2 of 314 MUST are violated; 3 could not be verified`. Begins in lower case, without a full stop. */
function why({ summary }: Report): string {
  const { holds, violated } = summary.byLevel.MUST
  if (summary.reasons.length > 0) {
    const shown = summary.reasons.slice(0, 3).map((reason) => reason.trim().replace(/\.$/, ''))
    const more = summary.reasons.length - shown.length
    return [...shown, ...(more > 0 ? [`and ${plural(more, 'more reason')}`] : [])].join('; ')
  }
  if (summary.verdict === 'conformant') return `all ${number(holds)} MUST that apply were verified and hold`
  if (violated > 0) return `${number(violated)} of ${number(holds + violated)} MUST violated`
  return 'not every MUST that applies was verified'
}

/** Why the verdict is what it is, as a sentence of its own. */
export function verdictReason(report: Report): string {
  const sentence = why(report)
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

/** The verdict in the word that the report has, and why: `non-conformant: 2 of 314 MUST are violated.` */
export function verdictSentence(report: Report): string {
  return `${report.summary.verdict}: ${why(report)}.`
}
