import { expectThat } from '../../harness/finding.ts'
import { must } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { graphqlLanguage } from '../specifications.ts'
import { dataOf, entriesIn, expectMembers, isObject } from './answers.ts'
import { test } from './projects-fixtures.ts'

test(
  'graphql.fragments',
  must(
    'Named and inline fragments give what the plain selection gives',
    graphqlLanguage('Fragments', '#sec-Language.Fragments'),
    {
      needs: ['token.valid'],
    },
  ),
  async ({ platform, projects }) => {
    const own = await projects.own()
    const typed = await platform.post({
      query: '{ __typename projects { __typename data { __typename id name } } }',
    })
    const data = dataOf(typed)
    const list = isObject(data['projects']) ? data['projects'] : {}
    const [root, wrapper, project] = [data, list, entriesIn(typed)[0]].map((object) => object?.['__typename'])
    const documents = {
      named: `{ projects { data { ...F } } } fragment F on ${project} { id name }`,
      'named, at every level': `{ ...R } fragment R on ${root} { projects { ...L } } fragment L on ${wrapper} { data { ...P } } fragment P on ${project} { id name }`,
      inline: `{ ... on ${root} { projects { ... on ${wrapper} { data { ... on ${project} { id name } } } } } }`,
      'without type': '{ ... { projects { ... { data { ... { id } name } } } } }',
    }
    await eachCase(Object.entries(documents), async (query) => {
      const entries = entriesIn(await platform.post({ query }))
      for (const entry of entries) expectMembers(entry, ['id', 'name'])
      const found = entries.some((entry) => entry['id'] === own.id && entry['name'] === own.name)
      expectThat(found, `the project ${own.name}`, 'a list without it')
    })
  },
)
