import { describe } from 'vitest'
import type { Answer } from '../../harness/answer.ts'
import { expectJson, expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { step } from '../step.ts'
import { test } from './node.ts'
import { api } from './sources.ts'

const needs = ['storage'] as const
const fresh = true

describe('Identity of the node', () => {
  test(
    'storage.id',
    must('id answers 200 with a JSON object whose ID names the node', api, { needs }),
    async ({ storage }) => {
      const answer = await storage.rpc('id')
      expectStatus(answer, 200)
      identityOf(answer)
    },
  )

  test(
    'storage.id.stable',
    should('The identity of the node does not change between calls', api, { needs }),
    async ({ storage }) => {
      const seen = new Set<string>()
      for (let i = 0; i < 3; i += 1) {
        const answer = await storage.rpc('id', {}, { fresh })
        seen.add(step('asking for the identity', () => identityOf(answer)))
      }
      expectThat(seen.size === 1, 'one ID in three calls', [...seen].join(', '))
    },
  )

  test('storage.id.method', must('id answers to GET or to POST', api, { needs }), async ({ storage }) => {
    const posted = await storage.rpc('id', {}, { method: 'POST' })
    const got = await storage.rpc('id', {}, { method: 'GET' })
    const given = [posted, got].find(({ status }) => status === 200)
    const seen = `${posted.status} to POST, ${got.status} to GET`
    expectThat(given !== undefined, '200 to GET or to POST', seen)
    identityOf(given)
  })
})

function identityOf(answer: Answer): string {
  const { ID } = Object(expectJson(answer)) as { readonly ID?: unknown }
  expectThat(
    typeof ID === 'string' && ID !== '',
    'an ID, a string that is not empty',
    JSON.stringify(ID) ?? 'none',
  )
  return ID
}
