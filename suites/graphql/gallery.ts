import { projects as projectList } from '../../fixtures/graphql-documents.ts'
import type { Answer } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import { test as base } from '../platform.ts'
import { isObject, type JsonObject, jsonOf } from './answers.ts'

/** One answer to each kind of request that there is. */
export interface Gallery {
  readonly answers: readonly Answer[]
  /** Those of them that are JSON objects; that all should be is another rule. */
  readonly bodies: readonly JsonObject[]
  /** The errors in them. */
  readonly errors: readonly JsonObject[]
}

const madeUp = {
  value: 'Bearer assay-made-up-token-0123456789',
  note: 'a token that was never issued',
} as const

const refused: readonly unknown[] = [
  { query: '{ projects {' },
  { query: '{ nosuchField }' },
  { query: '{ projects { data { nosuchField } } }' },
  { query: '{ projects(nosuch: 1) { data { id } } }' },
  {},
  [],
  { query: 'query ($a: Boolean!) { projects { data { id @include(if: $a) } } }', variables: { a: 'x' } },
  { query: 'query A { __typename }', operationName: 'B' },
]

/** `test` for what holds of every answer: `gallery` asks for one of each kind, and there are errors among them. */
export const test = base.extend('gallery', async ({ platform, run }): Promise<Gallery> => {
  const { expired, revoked } = platform.target.tokens ?? {}
  const failing = [
    ...refused.map((body) => platform.post(body)),
    platform.send('{"query":'),
    platform.post(projectList, { token: 'none' }),
    platform.post(projectList, { token: madeUp }),
    ...(expired ? [platform.post(projectList, { token: 'expired' })] : []),
    ...(revoked ? [platform.post(projectList, { token: 'revoked' })] : []),
    platform.post({ query: '{ project(id: "assay-nobody-has-this") { id } }' }),
    ...(run.capabilities['allow.mutations']?.offered
      ? [platform.post({ query: 'mutation { deleteProject(id: "assay-nobody-has-this") }' })]
      : []),
  ]
  const fine = [platform.post(projectList), platform.post({ query: '{ __typename }' })]
  const answers = await Promise.all([...fine, ...failing])
  const bodies = answers.map(jsonOf).filter(isObject)
  if (!bodies.some((body) => 'errors' in body)) {
    throw new PrerequisiteFailure('nothing that is not valid was answered with errors')
  }
  const errors = bodies.flatMap((body) => [body['errors']].flat()).filter(isObject)
  return { answers, bodies, errors }
})
