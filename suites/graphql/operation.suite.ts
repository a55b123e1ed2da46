import { describe } from 'vitest'
import { must } from '../../harness/requirement.ts'
import { test } from '../platform.ts'
import { graphqlLanguage } from '../specifications.ts'
import { dataOf, expectErrors, expectMembers } from './answers.ts'

const needs = ['token.valid'] as const
const list = 'projects { data { id } }'

describe('Operations', () => {
  test(
    'graphql.operation.selected',
    must(
      'operationName chooses the operation',
      graphqlLanguage('Executing Requests', '#sec-Executing-Requests'),
      { needs },
    ),
    async ({ platform }) => {
      const query = `query A { a: ${list} } query B { b: ${list} }`
      const cases = [
        ['A', 'a'],
        ['B', 'b'],
      ] as const
      for (const [operationName, key] of cases)
        expectMembers(dataOf(await platform.post({ query, operationName })), [key])
    },
  )

  test(
    'graphql.operation.duplicate-name',
    must(
      'Two operations of one name are an error',
      graphqlLanguage('Operation Name Uniqueness', '#sec-Operation-Name-Uniqueness'),
      { needs },
    ),
    async ({ platform }) => {
      expectErrors(
        await platform.post({ query: `query A { a: ${list} } query A { b: ${list} }`, operationName: 'A' }),
      )
    },
  )

  test(
    'graphql.operation.lone-anonymous',
    must(
      'An operation without a name beside another one is an error',
      graphqlLanguage('Lone Anonymous Operation', '#sec-Lone-Anonymous-Operation'),
      { needs },
    ),
    async ({ platform }) => {
      expectErrors(
        await platform.post({ query: `{ a: ${list} } query A { b: ${list} }`, operationName: 'A' }),
      )
    },
  )
})
