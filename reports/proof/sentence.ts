import type { SuiteProof } from '../../harness/report.ts'
import { number, plural } from '../words.ts'

/** What is known of the suites that judged: `these suites catch 1,359 of 1,359 known faults`, without a full stop. */
export function proofSentence({ faults, variations, falseAlarms }: SuiteProof): string {
  const alarms =
    falseAlarms === 0
      ? `and let ${plural(variations, 'harmless variation')} pass`
      : `and raise ${plural(falseAlarms, 'false alarm')} under ${plural(variations, 'harmless variation')}`
  return `these suites catch ${number(faults.caught)} of ${plural(faults.all, 'known fault')} ${alarms}`
}
