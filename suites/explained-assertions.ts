import type { Explanation } from '../harness/assertions/explanation.ts'
import { unbreakable } from './unbreakable.ts'

const notJson =
  'what is no JSON has no member either, so the next assertion fails as well; this one tells what is wrong'

/** Assertions that no fault of ours needs, and why they stay. `npm run prove:assertions` finds the others. */
export const explainedAssertions: readonly Explanation[] = [
  ...unbreakable.map(({ id, reason }) => ({ within: id, text: '*', reason })),
  {
    within: 'auth.challenge.realm-url',
    text: "expectThat(!internal, 'a realm that other machines can reach', realm)",
    reason: 'it is asked of a registry on another machine alone, and the mocks are on this one',
  },
  {
    within: 'oci.pull.blob.get.bytes-exact',
    text: 'expectThat(isDeepStrictEqual(entries, packed.entries), wanted, JSON.stringify(seen ?? entries.length))',
    reason: 'the bytes are exact before; that they unpack shows that what was tried is a layer',
  },
  {
    within: 'suites/auth/flow.suite.ts answerTo',
    text: "throw new Finding('a token for the challenge on '.concat(pathname), error.message)",
    reason: 'a client that goes on without a token is refused by the next step; this says where it failed',
  },
  {
    within: 'auth.verify.odd-header',
    text: "expectStatus(await present(madeToken(large, 'a token of 64 KiB'), 'GET', '/v2/', { fresh: true }), 400, 401, 413, 431)",
    reason: 'Node refuses so long a header with 431 before a service of ours sees the request',
  },
  {
    within: 'oci.push.session.location.form',
    text: "expectThat(location.protocol === protocol || protocol === 'http:', protocol, location.protocol)",
    reason: 'it is asked of a registry behind https alone, and the mocks speak http',
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
