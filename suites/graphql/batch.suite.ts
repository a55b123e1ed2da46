import { expectStatus, expectThat } from '../../harness/finding.ts'
import { may } from '../../harness/requirement.ts'
import { test } from '../platform.ts'
import { graphqlOverHttp } from '../specifications.ts'
import { bodyShown, expectMembers, isObject, isRefused, jsonOf } from './answers.ts'

test(
  'graphql.batch',
  may(
    'An array of requests, where it is served, is answered by an array in the same order',
    graphqlOverHttp('POST', '#sec-POST'),
    {
      needs: ['token.valid'],
    },
  ),
  async ({ platform, skip }) => {
    const keys = ['first', 'second', 'third']
    const answer = await platform.post(keys.map((key) => ({ query: `{ ${key}: projects { data { id } } }` })))
    skip(isRefused(answer), 'arrays of requests are refused')
    expectStatus(answer, 200)
    const entries = jsonOf(answer)
    expectThat(Array.isArray(entries) && entries.length === keys.length, 'an array of three answers', () =>
      bodyShown(answer),
    )
    for (const [i, key] of keys.entries()) {
      const entry: unknown = entries[i]
      expectMembers(isObject(entry) ? entry['data'] : entry, [key])
    }
  },
)
