import { describe } from 'vitest'
import { projects as projectList } from '../../fixtures/graphql-documents.ts'
import {
  aliased,
  aliasedInFragment,
  deep,
  deepNonsense,
  directives,
  fragmentBomb,
  fragmentCycles,
  unknownFields,
  wide,
} from '../../fixtures/graphql-sizes.ts'
import { expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { test } from '../platform.ts'
import { graphqlLanguage, theService } from '../specifications.ts'
import {
  expectErrors,
  expectErrorsWith200,
  expectNotServed,
  expectServedOrRefused,
  projectsIn,
} from './answers.ts'
import { expectWithin, timed } from './in-time.ts'
import { refusedSize, sizes } from './refused-size.ts'
import { needList } from './steps.ts'

const limits = theService('Limits', '#limits')
const needs = ['token.valid'] as const
const seconds = 5
const everySize = `each of ${sizes.join(', ')} aliases is served`

describe('Complexity', () => {
  test(
    'graphql.complexity',
    must('Queries are limited by complexity: from some size on they are refused', limits, { needs }),
    async ({ platform }) => {
      needList(await platform.post(projectList))
      const refused = await refusedSize(platform)
      expectThat(refused !== undefined, 'a refusal of some size', everySize)
      expectNotServed(refused.answer)
    },
  )

  test(
    'graphql.complexity.error-shape',
    must('A refusal for complexity is HTTP 200 with errors and no data', limits, { needs }),
    async ({ platform, skip }) => {
      needList(await platform.post(projectList))
      const refused = await refusedSize(platform)
      if (!refused) return skip(everySize)
      expectErrorsWith200(refused.answer)
    },
  )

  test(
    'graphql.complexity.no-execution',
    should('A query that is far too complex is refused before it is executed, within 5 s', limits, { needs }),
    async ({ platform }) => {
      needList(await platform.post(projectList))
      const asked = await timed(() => platform.post(aliased(10_000)))
      expectNotServed(asked.result)
      expectWithin(seconds, asked)
    },
  )

  test(
    'graphql.complexity.deep',
    should('Deep nesting is refused within 5 s, whether or not it fits the schema', limits, { needs }),
    async ({ platform }) => {
      needList(await platform.post(projectList))
      const cases = [
        ['a field that leads back, 50 deep', deep(50)] as const,
        ['5000 deep', deepNonsense(5000)] as const,
      ]
      await eachCase(cases, async (request) => {
        const asked = await timed(() => platform.post(request))
        expectNotServed(asked.result)
        expectWithin(seconds, asked)
      })
    },
  )

  test(
    'graphql.complexity.wide',
    should('A field that is repeated 50000 times is refused, or answered once, within 5 s', limits, {
      needs,
    }),
    async ({ platform }) => {
      const asked = await timed(() => platform.post(wide(50_000)))
      expectServedOrRefused(asked.result)
      expectWithin(seconds, asked)
    },
  )

  test(
    'graphql.complexity.fragment-bomb',
    should('Fragments that double at each of 30 steps are refused or answered within 5 s', limits, { needs }),
    async ({ platform }) => {
      const asked = await timed(() => platform.post(fragmentBomb(30)))
      expectServedOrRefused(asked.result)
      expectWithin(seconds, asked)
    },
  )

  test(
    'graphql.complexity.fragment-cycle',
    must(
      'Fragments that lead back to themselves are an error, and the service lives on',
      graphqlLanguage('Fragment Spreads Must Not Form Cycles', '#sec-Fragment-spreads-must-not-form-cycles'),
      { needs },
    ),
    async ({ platform }) => {
      await eachCase(Object.entries(fragmentCycles), async (request) => {
        const asked = await timed(() => platform.post(request))
        expectErrors(asked.result)
        expectWithin(seconds, asked)
      })
      projectsIn(await platform.post(projectList))
    },
  )

  test(
    'graphql.complexity.directives',
    should('10000 directives that nobody knows are refused or answered within 5 s', limits, { needs }),
    async ({ platform }) => {
      const asked = await timed(() => platform.post(directives(10_000)))
      expectServedOrRefused(asked.result)
      expectWithin(seconds, asked)
    },
  )

  test(
    'graphql.complexity.many-errors',
    should('A document with 20000 faults is answered within 5 s and by less than 5 MiB', limits, { needs }),
    async ({ platform }) => {
      const asked = await timed(() => platform.post(unknownFields(20_000)))
      const answer = asked.result
      expectNotServed(answer)
      expectWithin(seconds, asked)
      expectThat(answer.body.length < 5 * 1024 * 1024, 'less than 5 MiB', `${answer.body.length} bytes`)
    },
  )

  test(
    'graphql.complexity.alias-evasion',
    should('The limit counts what is in fragments', limits, { needs }),
    async ({ platform, skip }) => {
      needList(await platform.post(projectList))
      const refused = await refusedSize(platform)
      if (!refused) return skip(everySize)
      expectNotServed(await platform.post(aliasedInFragment(refused.size)))
    },
  )
})
