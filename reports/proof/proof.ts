import type { SuiteProof } from '../../harness/report.ts'
import recorded from './proof.json' with { type: 'json' }

/** What `npm run proof` found out of the suites as they are; a test holds it to the faults that there are. */
export const { faultsDigest, ...suiteProof }: SuiteProof & { readonly faultsDigest: string } = recorded
