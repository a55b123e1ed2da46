import { describe } from 'vitest'
import type { GraphqlRequest } from '../../fixtures/graphql-documents.ts'
import { expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { graphqlLanguage, rfc, theService } from '../specifications.ts'
import { bodyOf, errorsOf, expectErrors, expectErrorsWith200, isObject, shown } from './answers.ts'
import { awkwardBodies } from './awkward-bodies.ts'
import { internalsIn } from './disclosure.ts'
import { test } from './gallery.ts'

const needs = ['token.valid'] as const
const errors = theService('Errors', '#errors')
const errorFormat = graphqlLanguage('Errors', '#sec-Errors')
const execution = graphqlLanguage('Executing Requests', '#sec-Executing-Requests')

type Case = readonly [name: string, request: GraphqlRequest]

/** Documents and variables that are refused before anything is executed. */
const included = 'query ($a: Boolean!) { projects { data { id @include(if: $a) } } }'
const wrongVariables: readonly Case[] = [
  ['missing', { query: included }],
  ['of a wrong type', { query: included, variables: { a: 'yes' } }],
  ['null', { query: included, variables: { a: null } }],
]
const wrongOperations: readonly Case[] = [
  ['not there', { query: 'query A { __typename }', operationName: 'B' }],
  ['not named', { query: 'query A { __typename } query B { __typename }' }],
]
const invalid: readonly Case[] = [
  ['syntax error', { query: '{ projects { data { id }' }],
  ['unknown field', { query: '{ nosuchField }' }],
]

const positive = (value: unknown) => Number.isInteger(value) && Number(value) > 0

describe('Errors', () => {
  test(
    'graphql.errors.http-200',
    must(
      'A syntax error, an unknown field, a missing query and bad JSON answer HTTP 200 with errors',
      errors,
    ),
    async ({ platform }) => {
      const bodies = [
        ...invalid.map(([name, request]) => [name, JSON.stringify(request)] as const),
        ['missing query', '{"variables":{}}'] as const,
        ['bad JSON', '{"query":'] as const,
      ]
      await eachCase(bodies, async (body) => expectErrorsWith200(await platform.send(body)))
    },
  )

  test(
    'graphql.errors.shape',
    must('errors is a list that is not empty, of objects with a message each', errorFormat),
    ({ gallery }) => {
      for (const { errors: list } of gallery.bodies.filter((body) => 'errors' in body)) {
        expectThat(Array.isArray(list) && list.length > 0, 'a list that is not empty', shown(list))
        for (const error of list) {
          const right = isObject(error) && typeof error['message'] === 'string'
          expectThat(right, 'an object with a message that is a string', shown(error))
        }
      }
    },
  )

  test(
    'graphql.errors.locations',
    must('locations of an error is a list of lines and columns that count from 1', errorFormat),
    ({ gallery, skip }) => {
      const found = gallery.errors.flatMap((error) => ('locations' in error ? [error['locations']] : []))
      skip(found.length === 0, 'no error has locations')
      for (const locations of found) {
        const right =
          Array.isArray(locations) &&
          locations.every((place) => isObject(place) && positive(place['line']) && positive(place['column']))
        expectThat(right, 'a list of {line, column}, both from 1', shown(locations))
      }
    },
  )

  test(
    'graphql.errors.syntax-location',
    should('A syntax error names the line where it is', errorFormat, { needs }),
    async ({ platform }) => {
      const found = errorsOf(await platform.post({ query: '{\n  projects {\n    data ]\n  }\n}' }))
      const places = found.flatMap((error) => (isObject(error) ? [error['locations']].flat() : []))
      expectThat(
        places.some((place) => isObject(place) && place['line'] === 3),
        'a location on line 3',
        shown(found),
      )
    },
  )

  test(
    'graphql.errors.path',
    must('path of an error is a list of names and of indices from 0', errorFormat),
    ({ gallery, skip }) => {
      const found = gallery.errors.flatMap((error) => ('path' in error ? [error['path']] : []))
      skip(found.length === 0, 'no error has a path')
      for (const path of found) {
        const step = (part: unknown) =>
          typeof part === 'string' || (Number.isInteger(part) && Number(part) >= 0)
        expectThat(Array.isArray(path) && path.every(step), 'a list of names and indices', shown(path))
      }
    },
  )

  test(
    'graphql.errors.extensions-map',
    must('extensions of an error is an object', errorFormat),
    ({ gallery, skip }) => {
      const found = gallery.errors.flatMap((error) => ('extensions' in error ? [error['extensions']] : []))
      skip(found.length === 0, 'no error has extensions')
      for (const extensions of found) expectThat(isObject(extensions), 'an object', shown(extensions))
    },
  )

  test(
    'graphql.errors.no-extra-members',
    should('Errors have no members but message, locations, path and extensions', errorFormat),
    ({ gallery }) => {
      const known = /^(?:message|locations|path|extensions)$/
      for (const error of gallery.errors) {
        const others = Object.keys(error).filter((name) => !known.test(name))
        expectThat(others.length === 0, 'no other members', others.join(', '))
      }
    },
  )

  test(
    'graphql.errors.request-error-no-data',
    must('An error before execution delivers nothing: data is absent or null', errorFormat, { needs }),
    async ({ platform }) => {
      await eachCase([...invalid, ...wrongVariables, ...wrongOperations], async (request) =>
        expectErrors(await platform.post(request)),
      )
    },
  )

  test(
    'graphql.errors.all-or-nothing',
    must('A document with one invalid field is not executed in part', execution, { needs }),
    async ({ platform }) => {
      expectErrors(await platform.post({ query: '{ projects { data { id } } nosuchField }' }))
    },
  )

  test(
    'graphql.errors.variables-200',
    must('An error in the variables is HTTP 200 too', errors, { needs }),
    async ({ platform }) => {
      await eachCase(wrongVariables, async (request) => expectErrorsWith200(await platform.post(request)))
    },
  )

  test(
    'graphql.errors.operation-200',
    must('An operation that is not there, or not told from another, is HTTP 200 with errors', errors, {
      needs,
    }),
    async ({ platform }) => {
      await eachCase(wrongOperations, async (request) => expectErrorsWith200(await platform.post(request)))
    },
  )

  test(
    'graphql.errors.masked',
    should('Errors disclose no stack, file, database query or host of the inside', errors),
    ({ gallery }) => {
      for (const error of gallery.errors) {
        const found = internalsIn(error)
        expectThat(found.length === 0, 'nothing of the inside', found.join(', '))
      }
    },
  )

  test(
    'graphql.errors.no-token-echo',
    should('No answer contains a token that was sent', rfc(6750)('5.3')),
    ({ gallery, platform }) => {
      const sent = [...Object.values(platform.target.tokens ?? {}), 'assay-made-up-token-0123456789']
      for (const answer of gallery.answers) {
        const text = [answer.text(), ...answer.headers.map(([, value]) => value)].join('\n')
        expectThat(!sent.some((token) => text.includes(token)), 'no token', 'a token that was sent')
      }
    },
  )

  test(
    'graphql.errors.injection',
    should('Quotes, control characters, NUL and broken escapes are errors or text with HTTP 200', errors, {
      needs,
    }),
    async ({ platform }) => {
      await eachCase(awkwardBodies, async (body) => {
        const answer = await platform.send(body)
        bodyOf(answer)
        expectThat(answer.status === 200, '200', String(answer.status))
      })
    },
  )
})
