import { expectHeader, expectStatus, expectThat } from '../../harness/finding.ts'
import { must } from '../../harness/requirement.ts'
import { bodyOf, dataOf, test } from '../platform.ts'
import { graphqlLanguage, theService } from '../specifications.ts'

const api = theService('Platform API', '#platform-api')
const merging = graphqlLanguage('Field collection', '#sec-Field-Collection')
const needs = ['token.valid'] as const

test(
  'graphql.post-json',
  must('A document posted as JSON is answered with JSON', api, { needs }),
  async ({ platform }) => {
    const answer = await platform.post({ query: '{ __typename }' }, 'valid')
    expectStatus(answer, 200)
    expectThat(typeof dataOf(answer)['__typename'] === 'string', 'data with __typename', answer.text())
  },
)

test(
  'graphql.response.json',
  must('An answer is a JSON object with a JSON media type', api),
  async ({ platform }) => {
    const answer = await platform.post({ query: '{ __typename }' }, 'valid')
    expectHeader(answer, 'content-type', /^application\/(graphql-response\+)?json/)
    bodyOf(answer)
  },
)

test(
  'graphql.response.members',
  must(
    'An answer has no members but data, errors and extensions',
    graphqlLanguage('Response format', '#sec-Response-Format'),
  ),
  async ({ platform }) => {
    const asked = ['{ __typename }', '{ nosuchfield }', '{ projects {']
    const answers = await Promise.all(asked.map((query) => platform.post({ query }, 'valid')))
    const extra = answers
      .flatMap((answer) => Object.keys(bodyOf(answer)))
      .filter((key) => !['data', 'errors', 'extensions'].includes(key))
    expectThat(extra.length === 0, 'data, errors, extensions', extra.join(', '))
  },
)

test(
  'graphql.response.no-errors-on-success',
  must(
    'A request that succeeds has no errors, not even an empty list',
    graphqlLanguage('Response format', '#sec-Response-Format'),
    { needs },
  ),
  async ({ platform }) => {
    const body = bodyOf(await platform.post({ query: '{ projects { data { id name } } }' }, 'valid'))
    expectThat(!('errors' in body), 'no errors member', JSON.stringify(body).slice(0, 120))
  },
)

test(
  'graphql.response.aliases',
  must('A field stands under its alias', merging, { needs }),
  async ({ platform }) => {
    const data = dataOf(
      await platform.post({ query: '{ a: projects { b: data { c: id d: name } } }' }, 'valid'),
    )
    const a = data['a'] as { readonly b?: readonly object[] } | undefined
    expectThat(
      Object.keys(data).join() === 'a' && Array.isArray(a?.b),
      '{ a: { b: […] } }',
      JSON.stringify(data).slice(0, 120),
    )
    const odd = a.b.find((entry) => Object.keys(entry).join() !== 'c,d')
    expectThat(odd === undefined, 'entries with c and d', JSON.stringify(odd))
  },
)

test(
  'graphql.response.merge',
  must('The same field asked for twice is one field with both selections', merging, { needs }),
  async ({ platform }) => {
    const query = '{ projects { data { id } } projects { data { name } } }'
    const data = dataOf(await platform.post({ query }, 'valid'))
    const list = (data['projects'] as { readonly data?: readonly object[] } | undefined)?.data
    expectThat(
      Object.keys(data).length === 1 && Array.isArray(list),
      'one projects',
      JSON.stringify(data).slice(0, 120),
    )
    const odd = list.find((entry) => Object.keys(entry).join() !== 'id,name')
    expectThat(odd === undefined, 'entries with id and name', JSON.stringify(odd))
  },
)
