import { describe } from 'vitest'
import { projects as projectList } from '../../fixtures/graphql-documents.ts'
import { expectHeader, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { graphqlLanguage, theService } from '../specifications.ts'
import { bodyOf, dataOf, entriesIn, expectMembers, isObject, projectsIn, shown } from './answers.ts'
import { test as overAll } from './gallery.ts'
import { jsonType } from './json-type.ts'
import { test } from './projects-fixtures.ts'
import { expectShape } from './shape.ts'
import { needBody, needList } from './steps.ts'

const needs = ['token.valid'] as const
const responseFormat = graphqlLanguage('Response Format', '#sec-Response-Format')
const collection = graphqlLanguage('Field Collection', '#sec-Field-Collection')

describe('Answers', () => {
  test(
    'graphql.response.json',
    must(
      'The answer is a JSON object with data or errors, labelled as JSON',
      theService('Platform API', '#platform-api'),
    ),
    async ({ platform }) => {
      const answers = [await platform.post(projectList), await platform.post({ query: '{ nosuchField }' })]
      for (const answer of answers) {
        const body = bodyOf(answer)
        expectThat('data' in body || 'errors' in body, 'a member data or errors', shown(body))
        expectHeader(answer, 'content-type', jsonType)
      }
    },
  )

  overAll(
    'graphql.response.members',
    must('The answer has no members but data, errors and extensions', responseFormat),
    ({ gallery }) => {
      for (const body of gallery.bodies) {
        const others = Object.keys(body).filter((name) => !/^(?:data|errors|extensions)$/.test(name))
        expectThat(others.length === 0, 'no other members', others.join(', '))
      }
    },
  )

  test(
    'graphql.response.no-errors-on-success',
    must('A request that succeeds has no member errors, not even null or an empty list', responseFormat, {
      needs,
    }),
    async ({ platform }) => {
      const answer = await platform.post(projectList)
      needList(answer)
      const body = needBody(answer)
      expectThat(!('errors' in body), 'no member errors', `errors: ${shown(body['errors'])}`)
    },
  )

  overAll(
    'graphql.response.extensions-map',
    must('extensions of an answer is an object where it is there', responseFormat),
    ({ gallery, skip }) => {
      const found = gallery.bodies.flatMap((body) => ('extensions' in body ? [body['extensions']] : []))
      skip(found.length === 0, 'no answer has extensions')
      for (const extensions of found) expectThat(isObject(extensions), 'an object', shown(extensions))
    },
  )

  test(
    'graphql.response.aliases',
    must('What is asked for under an alias is answered under that alias', collection, { needs }),
    async ({ platform, projects }) => {
      const { id, name } = await projects.own()
      const data = dataOf(await platform.post({ query: '{ a: projects { b: data { c: id d: name } } }' }))
      expectShape(data, { a: { b: [{ c: 'leaf', d: 'leaf' }] } })
      const list = [isObject(data['a']) ? data['a']['b'] : []].flat()
      const listed = list.some((entry) => isObject(entry) && entry['c'] === id && entry['d'] === name)
      expectThat(listed, `the project with c: ${id} and d: ${name}`, shown(data))
    },
  )

  test(
    'graphql.response.only-selected',
    must('Nothing is delivered that was not selected', collection, { needs }),
    async ({ platform, projects }) => {
      await projects.own()
      const answer = await platform.post({ query: '{ projects { data { id } } }' })
      expectShape(dataOf(answer), { projects: { data: [{ id: 'leaf' }] } })
    },
  )

  test(
    'graphql.response.order',
    should(
      'Members stand in the order of the selection',
      graphqlLanguage('Serialized Map Ordering', '#sec-Serialized-Map-Ordering'),
      {
        needs,
      },
    ),
    async ({ platform, projects }) => {
      await projects.own()
      for (const order of ['id name', 'name id']) {
        const answer = await platform.post({ query: `{ projects { data { ${order} } } }` })
        const seen = entriesIn(answer).map((entry) => Object.keys(entry).join(' '))
        const wrong = seen.find((keys) => keys !== order)
        expectThat(wrong === undefined, `members in the order ${order}`, String(wrong))
      }
    },
  )

  test(
    'graphql.response.merge',
    must('A field that is selected twice stands once, with both selections', collection, { needs }),
    async ({ platform, projects }) => {
      await projects.own()
      const answer = await platform.post({ query: '{ projects { data { id } } projects { data { name } } }' })
      const twice = answer.text().match(/"projects"\s*:/g)?.length
      expectThat(twice === 1, 'one member projects', String(twice))
      for (const entry of entriesIn(answer)) expectMembers(entry, ['id', 'name'])
    },
  )

  test(
    'graphql.response.typename',
    should(
      '__typename names the type of each object, although introspection is off',
      graphqlLanguage('Type Name Introspection', '#sec-Type-Name-Introspection'),
      { needs },
    ),
    async ({ platform, projects }) => {
      await projects.some()
      const answer = await platform.post({
        query: '{ __typename projects { __typename data { __typename } } }',
      })
      const data = dataOf(answer)
      for (const object of [data, data['projects'], ...projectsIn(answer)]) {
        const name = isObject(object) ? object['__typename'] : undefined
        expectThat(typeof name === 'string' && name !== '', 'a name of a type', shown(name))
      }
    },
  )
})
