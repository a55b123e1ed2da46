import { describe } from 'vitest'
import { createProject, projects as projectList } from '../../fixtures/graphql-documents.ts'
import { expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { graphqlOverHttp, rfc, theService } from '../specifications.ts'
import { dataOf, isObject, isRefused, jsonOf, projectsIn } from './answers.ts'
import { test } from './projects-fixtures.ts'

const needs = ['token.valid'] as const
const awkward = 'Příliš žluťoučký 漢字 かな 🐙'

/** JSON in which every character outside ASCII is an escape. */
const escaped = (value: unknown) =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

describe('Requests as JSON', () => {
  test(
    'graphql.post-json',
    must('A POST whose JSON body has query is served', theService('Platform API', '#platform-api')),
    async ({ platform, skip }) => {
      const answer = await platform.post({ query: '{ __typename }' })
      const anonymous = !platform.target.tokens?.valid
      skip(anonymous && isRefused(answer), 'needs a personal access token (graphql.tokens.valid)')
      const name = dataOf(answer)['__typename']
      expectThat(typeof name === 'string' && name !== '', 'the name of the root type', String(name))
    },
  )

  test(
    'graphql.post-json.charset',
    should('A charset parameter that says UTF-8 changes nothing', graphqlOverHttp('POST', '#sec-POST'), {
      needs,
    }),
    async ({ platform }) => {
      const types = ['application/json; charset=utf-8', 'application/json;charset=UTF-8']
      await eachCase(
        types.map((type) => [type, type] as const),
        async (type) => {
          projectsIn(await platform.post(projectList, { headers: { 'content-type': type } }))
        },
      )
    },
  )

  test(
    'graphql.post-json.utf8',
    must('Text outside ASCII passes unharmed in both directions, raw and as escapes', rfc(8259)('8.1'), {
      needs,
    }),
    async ({ platform, projects, run }) => {
      const request = {
        query: `query ($a: Boolean = true) { projects { data { id name @include(if: $a) } } } # ${awkward}`,
        variables: { a: true, [awkward]: awkward },
      }
      const spellings = [JSON.stringify, escaped]
      for (const spell of spellings) projectsIn(await platform.send(spell(request)))
      if (!run.capabilities['allow.mutations']?.offered) return
      for (const spell of spellings) {
        const name = projects.name(awkward)
        const body = jsonOf(await platform.send(spell(createProject(name))))
        const created = isObject(body) && isObject(body['data']) ? body['data']['createProject'] : undefined
        const seen = isObject(created) ? created['name'] : name
        expectThat(seen === name, `the name ${name}`, String(seen))
      }
    },
  )
})
