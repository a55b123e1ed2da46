import { describe } from 'vitest'
import { expectBytes, expectRefusal, expectStatus, expectThat } from '../../../harness/finding.ts'
import { may, should } from '../../../harness/requirement.ts'
import { need } from '../../push.ts'
import { pathGateway, rfc } from '../../specifications.ts'
import { asVersion1 } from '../cid.ts'
import { test } from '../node.ts'

const needs = ['gateway', 'storage'] as const
const passwordFile = /^root:[^:\n]*:0:0:/m

describe('Paths on the gateway', () => {
  test(
    'storage.gateway.below-file',
    should('A path below a file is refused', pathGateway('404 Not Found', '#404-not-found'), { needs }),
    async ({ storage, gateway, content }) => {
      const cid = await storage.stored(content.bytes(500))
      need('GET', await gateway.get(cid), 200)
      expectRefusal(await gateway.get(`${cid}/x`))
    },
  )

  test(
    'storage.gateway.traversal',
    should('Dot segments and encoded slashes lead to nothing outside the content', rfc(3986)('6.2.2.3'), {
      needs,
    }),
    async ({ storage, gateway, content }) => {
      const cid = await storage.stored(content.bytes(500))
      need('GET', await gateway.get(cid), 200)
      const up = '../../../../../../'
      const ways = [
        `${cid}/../../etc/passwd`,
        `${cid}/${up}etc/passwd`,
        `${cid}/${up.replaceAll('.', '%2e')}etc/passwd`,
        `${cid}/${encodeURIComponent(up)}etc%2fpasswd`,
        `${up.replaceAll('/', '%2f').replaceAll('.', '%2e')}etc/passwd`,
      ]
      for (const way of ways) {
        const answer = await gateway.request('GET', `${gateway.prefix}${way}`)
        expectThat(answer.status < 500, `no 5xx to ${way}`, String(answer.status))
        expectThat(!passwordFile.test(answer.text()), `no file of the host for ${way}`, '/etc/passwd')
      }
    },
  )

  test(
    'storage.gateway.cid-v1',
    may(
      'The CIDv1 of a CIDv0 reaches the same content',
      pathGateway('GET /ipfs/{cid}[/{path}][?{params}]', '#get-ipfs-cid-path-params'),
      { needs },
    ),
    async ({ storage, gateway, content, skip }) => {
      const bytes = content.bytes(300_000)
      const cid = await storage.stored(bytes)
      const other = asVersion1(cid)
      skip(other === cid, 'the node adds under CIDv1 at once')
      const answer = await gateway.get(other)
      skip(answer.status >= 400 && answer.status < 500, 'the gateway knows content under no other spelling')
      expectStatus(answer, 200)
      expectBytes(answer, bytes.bytes)
    },
  )

  test(
    'storage.gateway.filename',
    may(
      'filename and download change headers alone, and put none in',
      pathGateway('filename (request query parameter)', '#filename-request-query-parameter'),
      { needs },
    ),
    async ({ storage, gateway, content }) => {
      const bytes = content.bytes(500)
      const cid = await storage.stored(bytes)
      for (const query of [
        'filename=x.pdf',
        'filename=x.pdf&download=true',
        'filename=gr%C3%B6%C3%9Fe-%E5%B1%82.tar',
      ]) {
        const answer = await gateway.get(`${cid}?${query}`)
        expectStatus(answer, 200)
        expectBytes(answer, bytes.bytes)
      }
      const answer = await gateway.get(`${cid}?filename=x%0d%0aX-Evil:1%0d%0a`)
      const put = answer.header('x-evil')
      expectThat(put === undefined, 'no header out of a file name', `X-Evil: ${put}`)
      expectThat(answer.status < 500, '200 or a refusal of a name with line ends', String(answer.status))
    },
  )
})
