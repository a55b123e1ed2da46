import type { Explanation } from '../harness/assertions/explanation.ts'

const notJson =
  'what is no JSON has no member either, so the next assertion fails as well; this one tells what is wrong'

/** Assertions that no fault of ours needs, and why they stay. `npm run prove:assertions` finds the others. */
export const explainedAssertions: readonly Explanation[] = [
  {
    within: 'storage.gateway.private-leak',
    text: `expectThat(!leaked, 'no content of a private layer without credentials', \`\${status} with its bytes\`)`,
    reason:
      'the requirement is listed in unbreakable.ts; its own test (harness/cli/private-gateway.test.ts) needs the assertion',
  },
  {
    within: 'suites/storage/id.suite.ts identityOf',
    text: 'expectJson(answer)',
    reason: notJson,
  },
  {
    within: 'storage.pin.add.shape',
    text: 'expectJson(answer)',
    reason: notJson,
  },
  {
    within: 'storage.repo-stat.storage-max',
    text: 'expectJson(answer)',
    reason: notJson,
  },
  {
    within: 'suites/storage/repo-stat.suite.ts statOf',
    text: 'expectJson(answer)',
    reason: notJson,
  },
]
