import { describe } from 'vitest'
import type { Content } from '../../fixtures/content.ts'
import { expectBytes, expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { need } from '../push.ts'
import { pathGateway } from '../specifications.ts'
import { cidOfNothing } from './cid.ts'
import type { Gateway } from './gateway.ts'
import { test } from './node.ts'
import { stillSearching, unlessSilent } from './patience.ts'
import { gatewayOfService } from './sources.ts'

const needs = ['gateway', 'storage'] as const
const fresh = true

async function expectServed(gateway: Gateway, cid: string, { bytes }: Content): Promise<void> {
  const answer = await gateway.get(cid, { fresh })
  expectStatus(answer, 200)
  expectBytes(answer, bytes)
}

describe('Content on the gateway', () => {
  test(
    'storage.gateway.get',
    must('The gateway serves the content of a CID', gatewayOfService, { needs }),
    async ({ storage, gateway, content }) => {
      const bytes = content.bytes(10_000)
      const cid = await storage.stored(bytes)
      // A cache may be right once.
      for (let i = 0; i < 3; i += 1) await expectServed(gateway, cid, bytes)
    },
  )

  test(
    'storage.gateway.public',
    must('The gateway asks for no credentials', gatewayOfService, { needs }),
    async ({ storage, gateway, content }) => {
      const bytes = content.bytes(300)
      const answer = await gateway.get(await storage.stored(bytes), { fresh })
      expectStatus(answer, 200)
      expectBytes(answer, bytes.bytes)
      const asked = answer.header('www-authenticate')
      expectThat(asked === undefined, 'no challenge', String(asked))
    },
  )

  test(
    'storage.gateway.multi-chunk',
    must('Content of several blocks comes exactly', gatewayOfService, { needs }),
    async ({ storage, gateway, content }) => {
      for (const size of [262_145, 600_000, 3_000_000]) {
        const bytes = content.bytes(size)
        await expectServed(gateway, await storage.stored(bytes), bytes)
      }
    },
  )

  test(
    'storage.gateway.empty',
    must('Empty content is a 200 with zero bytes', gatewayOfService, { needs }),
    async ({ storage, gateway, content }) => {
      const empty = content.bytes(0)
      await expectServed(gateway, await storage.stored(empty), empty)
    },
  )

  test(
    'storage.gateway.same-as-cat',
    must('Gateway and cat give the same bytes for a CID', gatewayOfService, { needs }),
    async ({ storage, gateway, content }) => {
      for (let i = 0; i < 10; i += 1) {
        const cid = await storage.stored(content.bytes(1 + i * 40_000))
        const read = need('cat', await storage.cat(cid), 200)
        const served = await gateway.get(cid)
        expectStatus(served, 200)
        expectBytes(served, read.body)
      }
    },
  )

  test(
    'storage.gateway.read-after-add',
    should('Content is on the gateway as soon as add has answered', gatewayOfService, { needs }),
    async ({ storage, gateway, content }) => {
      for (let i = 0; i < 10; i += 1) {
        const bytes = content.bytes(500 + i)
        await expectServed(gateway, await storage.stored(bytes), bytes)
      }
    },
  )

  test(
    'storage.gateway.concurrent',
    must('Parallel requests for different CIDs do not mix', gatewayOfService, { needs }),
    async ({ storage, gateway, content }) => {
      const contents = Array.from({ length: 8 }, (_, i) => content.bytes(300_000 + i))
      const cids: string[] = []
      for (const each of contents) cids.push(await storage.stored(each))
      const asked = [...contents, ...contents].map((each) => ({
        each,
        cid: cids[contents.indexOf(each)] ?? '',
      }))
      await Promise.all(
        asked.map(async ({ each, cid }) => {
          const answer = await gateway.get(cid)
          expectStatus(answer, 200)
          expectBytes(answer, each.bytes)
        }),
      )
    },
  )

  test(
    'storage.gateway.bad-cid',
    should('What is no CID is refused at once with 4xx', pathGateway('400 Bad Request', '#400-bad-request'), {
      needs: ['gateway'],
    }),
    async ({ gateway }) => {
      const wrong = ['notacid', 'Qm0', 'b'.repeat(2000), '%zz', '%00']
      await eachCase(
        wrong.map((what) => [what.slice(0, 20), what] as const),
        async (what) => {
          const answer = await unlessSilent(gateway.request('GET', `${gateway.prefix}${what}`), 5)
          expectThat(answer !== undefined, 'an answer within 5 s', 'none')
          expectThat(answer.status >= 400 && answer.status < 500, '4xx', String(answer.status))
        },
      )
    },
  )

  test(
    'storage.gateway.unknown-cid',
    should(
      'A CID that nobody has is answered with 404, or with 504 after a search',
      pathGateway('404 Not Found', '#404-not-found'),
      { needs: ['gateway'] },
    ),
    async ({ gateway, content, skip }) => {
      const answer = await unlessSilent(gateway.get(cidOfNothing(content.bytes(64).bytes)), 40)
      if (!answer) return skip(stillSearching)
      expectStatus(answer, 404, 410, 502, 504)
    },
  )
})
