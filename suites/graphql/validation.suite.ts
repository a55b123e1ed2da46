import { describe } from 'vitest'
import { projects as projectList } from '../../fixtures/graphql-documents.ts'
import { must } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { type Platform, test } from '../platform.ts'
import { graphqlLanguage } from '../specifications.ts'
import { expectErrors } from './answers.ts'
import { needList } from './steps.ts'

const needs = ['token.valid'] as const

/** Each document is refused, where one that is valid is served. */
async function expectInvalid(platform: Platform, ...documents: readonly string[]): Promise<void> {
  needList(await platform.post(projectList))
  await eachCase(
    documents.map((query) => [query, query] as const),
    async (query) => expectErrors(await platform.post({ query })),
  )
}

describe('Validation', () => {
  test(
    'graphql.validation.unknown-field',
    must(
      'A field that does not exist is an error, and nothing is executed',
      graphqlLanguage('Field Selections', '#sec-Field-Selections'),
      {
        needs,
      },
    ),
    ({ platform }) =>
      expectInvalid(platform, '{ nosuch }', '{ projects { nosuch } }', '{ projects { data { id nosuch } } }'),
  )

  test(
    'graphql.validation.unknown-argument',
    must(
      'An argument that does not exist is an error',
      graphqlLanguage('Argument Names', '#sec-Argument-Names'),
      { needs },
    ),
    ({ platform }) => expectInvalid(platform, '{ projects(zzz: 1) { data { id } } }'),
  )

  test(
    'graphql.validation.leaf',
    must(
      'An object without a selection and a selection on a scalar are errors',
      graphqlLanguage('Leaf Field Selections', '#sec-Leaf-Field-Selections'),
      { needs },
    ),
    ({ platform }) =>
      expectInvalid(platform, '{ projects }', '{ projects { data } }', '{ projects { data { id { x } } } }'),
  )

  test(
    'graphql.validation.conflict',
    must(
      'Different fields under one key are an error',
      graphqlLanguage('Field Selection Merging', '#sec-Field-Selection-Merging'),
      { needs },
    ),
    ({ platform }) => expectInvalid(platform, '{ projects { data { x: id x: name } } }'),
  )
})
