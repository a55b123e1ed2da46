import { projectsInOtherSpellings } from '../../fixtures/graphql-documents.ts'
import { expectThat } from '../../harness/finding.ts'
import { should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { graphqlLanguage } from '../specifications.ts'
import { entriesIn, expectMembers } from './answers.ts'
import { test } from './projects-fixtures.ts'

test(
  'graphql.document.ignored-tokens',
  should(
    'Commas, comments, line ends of any kind and a byte order mark have no meaning',
    graphqlLanguage('Ignored Tokens', '#sec-Language.Source-Text.Ignored-Tokens'),
    { needs: ['token.valid'] },
  ),
  async ({ platform, projects }) => {
    const own = await projects.some()
    await eachCase(Object.entries(projectsInOtherSpellings), async (request) => {
      const entries = entriesIn(await platform.post(request))
      for (const entry of entries) expectMembers(entry, ['id', 'name'])
      const listed = !own || entries.some((entry) => entry['id'] === own.id)
      expectThat(listed, `the project ${own?.name}`, 'a list without it')
    })
  },
)
