import { introspection } from '../../fixtures/graphql-documents.ts'
import { expectThat } from '../../harness/finding.ts'
import { must } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { bodyOf, errorsOf, test } from '../platform.ts'
import { theService } from '../specifications.ts'

const api = theService('Platform API', '#platform-api')

test(
  'graphql.introspection-off',
  must('The schema cannot be asked for, with or without a token, in any disguise', api),
  async ({ platform }) => {
    for (const token of [undefined, 'valid'] as const) {
      await eachCase(Object.entries(introspection), async (document) => {
        const answer = await platform.post(document, token)
        errorsOf(answer)
        const told = JSON.stringify(bodyOf(answer).data ?? null)
        expectThat(!/"(kind|queryType|fields)":/.test(told), 'no part of the schema', told.slice(0, 120))
      })
    }
  },
)
