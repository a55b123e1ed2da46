import { expectThat } from '../../harness/finding.ts'
import { may } from '../../harness/requirement.ts'
import { test } from '../platform.ts'
import { theService } from '../specifications.ts'
import { errorsOf, isObject, shown } from './answers.ts'

test(
  'graphql.suggestions-off',
  may(
    'Errors propose no names of the schema for a misspelt one',
    theService('Platform API', '#platform-api'),
    {
      needs: ['token.valid'],
    },
  ),
  async ({ platform }) => {
    for (const query of [
      '{ project5 { data { id } } }',
      '{ projects { dat { id } } }',
      '{ projects { data { nam } } }',
    ]) {
      for (const error of errorsOf(await platform.post({ query }))) {
        const message = isObject(error) ? String(error['message']) : ''
        expectThat(!/did you mean|perhaps you meant/i.test(message), 'no proposal', shown(message))
      }
    }
  },
)
