import { must } from '../../harness/requirement.ts'
import { test } from '../platform.ts'
import { graphqlLanguage } from '../specifications.ts'
import { dataOf, expectMembers } from './answers.ts'

test(
  'graphql.concurrent',
  must(
    'Requests in parallel each get their own answer',
    graphqlLanguage('Response Format', '#sec-Response-Format'),
    {
      needs: ['token.valid'],
    },
  ),
  async ({ platform }) => {
    const keys = Array.from({ length: 50 }, (_, i) => `own${i}`)
    const answers = await Promise.all(
      keys.map(
        async (key) => [key, await platform.post({ query: `{ ${key}: projects { data { id } } }` })] as const,
      ),
    )
    for (const [key, answer] of answers) expectMembers(dataOf(answer), [key])
  },
)
