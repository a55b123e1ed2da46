import { describe } from 'vitest'
import { expectRefusal, expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { form } from '../multipart.ts'
import { fetchStandard, kuboRpc, rfc } from '../specifications.ts'
import { test } from './node.ts'
import { deployment } from './sources.ts'

const foreign = 'https://evil.example'

describe('The API of the node', () => {
  test(
    'storage.api.unknown-command',
    should('An unknown command is answered with 404', kuboRpc('HTTP status codes', '#http-status-codes'), {
      needs: ['storage'],
    }),
    async ({ storage }) => {
      expectStatus(await storage.rpc('nosuch', {}, { method: 'POST' }), 404)
      expectStatus(await storage.rpc('nosuch', {}, { method: 'GET' }), 404, 405)
    },
  )

  test(
    'storage.api.405-allow',
    should('A 405 names the methods that are allowed', rfc(9110)('15.5.6'), { needs: ['storage'] }),
    async ({ storage, skip }) => {
      let refused = 0
      for (const command of ['add', 'cat', 'pin/add']) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const answer = await storage.rpc(command, { arg: 'notacid' }, { method })
          if (answer.status !== 405) continue
          refused += 1
          const allowed = (answer.header('allow') ?? '').split(',').map((each) => each.trim())
          const right = allowed.some(Boolean) && !allowed.includes(method)
          expectThat(right, `Allow without ${method} on ${command}`, answer.header('allow') ?? 'no Allow')
        }
      }
      skip(refused === 0, 'no 405 was seen')
    },
  )

  test(
    'storage.api.browser-origin',
    should(
      'A page of another site cannot drive the API: its Origin is refused or gets no permission',
      fetchStandard('CORS protocol', '#http-cors-protocol'),
      { needs: ['storage'] },
    ),
    async ({ storage, content }) => {
      const arg = await storage.stored(content.bytes(100))
      const preflight = { origin: foreign, 'access-control-request-method': 'POST' }
      const cases = Object.entries({
        POST: { method: 'POST', headers: { origin: foreign } },
        'the preflight': { method: 'OPTIONS', headers: preflight },
      })
      await eachCase(cases, async (options) => {
        const answer = await storage.rpc('pin/add', { arg }, options)
        const permitted = answer.headerValues('access-control-allow-origin')
        const open = answer.status < 400 && permitted.some((each) => each === '*' || each === foreign)
        expectThat(!open, `no permission for ${foreign}`, `Access-Control-Allow-Origin: ${permitted}`)
      })
    },
  )

  test(
    'storage.api.not-on-gateway',
    must('The gateway does not serve the API, which is internal', deployment, {
      needs: ['gateway'],
      on: 'gateway',
    }),
    async ({ run, gateway, content }) => {
      const collecting = run.capabilities['allow.gc']?.offered ? ['repo/gc'] : []
      const commands = ['id', 'add', 'cat?arg=notacid', 'pin/add?arg=notacid', ...collecting]
      for (const method of ['GET', 'POST']) {
        for (const command of commands) {
          const upload = method === 'POST' && command === 'add' ? form(content.bytes(100)) : {}
          expectRefusal(await gateway.request(method, `/api/v0/${command}`, upload))
        }
      }
    },
  )
})
