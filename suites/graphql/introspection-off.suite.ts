import { introspection } from '../../fixtures/graphql-documents.ts'
import { must } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { test } from '../platform.ts'
import { theService } from '../specifications.ts'
import { expectErrors } from './answers.ts'

const forms = ['schema', 'type', 'alias', 'named fragment', 'inline fragment', 'next to projects']

test(
  'graphql.introspection-off',
  must(
    'Introspection is off: __schema and __type get errors and no data, with a token or without',
    theService('Platform API', '#platform-api'),
  ),
  async ({ platform }) => {
    const requests = Object.entries(introspection).filter(([name]) => forms.includes(name))
    for (const token of platform.target.tokens?.valid ? (['none', 'valid'] as const) : (['none'] as const)) {
      await eachCase(requests, async (request) => expectErrors(await platform.post(request, { token })))
    }
  },
)
