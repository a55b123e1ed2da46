import type { Explanation } from '../harness/assertions/explanation.ts'

/** Assertions that no fault of ours needs, and why they stay. `npm run prove:assertions` finds the others. */
export const explainedAssertions: readonly Explanation[] = []
