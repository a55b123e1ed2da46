import { describe } from 'vitest'
import { concat, literal } from '../../../fixtures/content.ts'
import { gzip } from '../../../fixtures/gzip.ts'
import { expectBytes, expectHeader, expectStatus, expectThat } from '../../../harness/finding.ts'
import { may, must, should } from '../../../harness/requirement.ts'
import { need } from '../../push.ts'
import { fetchStandard, pathGateway, rfc } from '../../specifications.ts'
import { cidOfNothing } from '../cid.ts'
import { test } from '../node.ts'
import { gatewayOfService } from '../sources.ts'
import { decoded } from './content-coding.ts'

const needs = ['gateway', 'storage'] as const
const raw = true
const writing = ['POST', 'PUT', 'PATCH', 'DELETE']

describe('HTTP on the gateway', () => {
  test(
    'storage.gateway.content-length',
    must('Content-Length, where it is sent, is the number of bytes of the content', rfc(9110)('8.6'), {
      needs,
    }),
    async ({ storage, gateway, content, skip }) => {
      let stated = 0
      for (const size of [0, 1, 1000, 262_145]) {
        const cid = await storage.stored(content.bytes(size))
        const got = need('GET', await gateway.get(cid, { raw }), 200)
        for (const [answer, length] of [
          [got, got.body.length],
          [await gateway.head(cid), size],
        ] as const) {
          const told = answer.header('content-length')
          if (told === undefined) continue
          stated += 1
          expectThat(told === String(length), `Content-Length: ${length} on ${answer.method}`, told)
        }
      }
      skip(stated === 0, 'the gateway states no length')
    },
  )

  test(
    'storage.gateway.head',
    should('HEAD answers like GET, and tells the length of the content', rfc(9110)('9.3.2'), { needs }),
    async ({ storage, gateway, content }) => {
      const cid = await storage.stored(content.bytes(1000))
      const [got, head] = [need('GET', await gateway.get(cid), 200), await gateway.head(cid)]
      expectStatus(head, 200)
      for (const name of ['content-type', 'etag', 'cache-control']) {
        const [wanted, seen] = [got.header(name), head.header(name)]
        expectThat(wanted === seen, `${name}: ${wanted ?? 'none'}, as to GET`, seen ?? 'none')
      }
      expectHeader(head, 'content-length', '1000')
    },
  )

  test(
    'storage.gateway.head-no-body',
    must('HEAD carries no content, whether there is any or not', rfc(9110)('9.3.2'), { needs }),
    async ({ storage, gateway, content }) => {
      const cid = await storage.stored(content.bytes(1000))
      need('HEAD', await gateway.head(cid), 200)
      const headers = { 'cache-control': 'only-if-cached' }
      for (const what of [cid, cidOfNothing(content.bytes(64).bytes)]) {
        const { body } = await gateway.head(what, { raw, headers })
        expectThat(body.length === 0, 'no byte after the header section', `${body.length} bytes`)
      }
    },
  )

  test(
    'storage.gateway.content-type',
    should(
      'The Content-Type fits the content',
      pathGateway('Content-Type (response header)', '#content-type-response-header'),
      { needs },
    ),
    async ({ storage, gateway, content }) => {
      const png = Uint8Array.of(
        0x89,
        0x50,
        0x4e,
        0x47,
        0x0d,
        0x0a,
        0x1a,
        0x0a,
        0,
        0,
        0,
        0x0d,
        0x49,
        0x48,
        0x44,
        0x52,
      )
      const unknown = concat([literal(Uint8Array.of(0, 0x9c, 0xf1, 3)), content.bytes(500)])
      for (const [bytes, type] of [
        [literal('Plain text, in a sentence.\n'), /^text\/plain\b/],
        [concat([literal(png), content.bytes(100)]), /^(?:image\/png|application\/octet-stream)\b/],
        [unknown, /^application\/octet-stream\b/],
      ] as const) {
        const answer = await gateway.get(await storage.stored(bytes))
        expectStatus(answer, 200)
        expectHeader(answer, 'content-type', type)
      }
    },
  )

  test(
    'storage.gateway.no-encoding',
    should(
      'What is left without a stated Content-Encoding is the content: gzip is not unpacked',
      rfc(9110)('8.4'),
      {
        needs,
      },
    ),
    async ({ storage, gateway, content }) => {
      const packed = gzip(content.bytes(2000))
      const cid = await storage.stored(packed)
      for (const headers of [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'identity' }]) {
        const answer = await gateway.get(cid, { headers })
        expectStatus(answer, 200)
        const bytes = decoded(answer)
        const same = Buffer.compare(bytes, packed.bytes) === 0
        expectThat(same, `the ${packed.size} bytes of the gzip file`, `${bytes.length} other bytes`)
      }
    },
  )

  test(
    'storage.gateway.method-not-allowed',
    should('The gateway is read only: other methods are refused and change nothing', gatewayOfService, {
      needs,
    }),
    async ({ storage, gateway, content }) => {
      const bytes = content.bytes(500)
      const cid = await storage.stored(bytes)
      for (const path of [`${gateway.prefix}${cid}`, gateway.prefix]) {
        for (const method of writing) {
          const { status } = await gateway.request(method, path, { body: content.bytes(100) })
          const refused = (status >= 400 && status < 500) || status === 501
          expectThat(refused, `4xx or 501 to ${method} ${path}`, String(status))
        }
      }
      const answer = await gateway.get(cid)
      expectStatus(answer, 200)
      expectBytes(answer, bytes.bytes)
    },
  )

  test(
    'storage.gateway.405-allow',
    should('A 405 names the methods that are allowed', rfc(9110)('15.5.6'), { needs }),
    async ({ storage, gateway, content, skip }) => {
      const path = `${gateway.prefix}${await storage.stored(content.bytes(500))}`
      let refused = 0
      for (const method of writing) {
        const answer = await gateway.request(method, path)
        if (answer.status !== 405) continue
        refused += 1
        const allowed = (answer.header('allow') ?? '').split(',').map((each) => each.trim())
        const right = allowed.includes('GET') && !allowed.includes(method)
        expectThat(right, `Allow with GET and without ${method}`, answer.header('allow') ?? 'no Allow')
      }
      skip(refused === 0, 'no 405 was seen')
    },
  )

  test(
    'storage.gateway.cors',
    may(
      'Pages of other sites may read, without credentials',
      fetchStandard('CORS protocol', '#http-cors-protocol'),
      {
        needs,
      },
    ),
    async ({ storage, gateway, content, skip }) => {
      const cid = await storage.stored(content.bytes(500))
      const headers = { origin: 'https://page.example' }
      const asking = { ...headers, 'access-control-request-method': 'GET' }
      const answers = [
        await gateway.get(cid, { headers }),
        await gateway.request('OPTIONS', `${gateway.prefix}${cid}`, { headers: asking }),
      ]
      const open = answers.filter((answer) => answer.header('access-control-allow-origin') !== undefined)
      skip(open.length === 0, 'no Access-Control-Allow-Origin was sent')
      for (const { method, header } of open) {
        const [origin, credentials] = [
          header('access-control-allow-origin'),
          header('access-control-allow-credentials'),
        ]
        const right = origin === '*' || credentials?.toLowerCase() !== 'true'
        expectThat(right, `no credentials for other sites on ${method}`, `${origin}, with credentials`)
      }
    },
  )
})
