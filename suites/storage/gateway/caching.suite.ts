import { describe } from 'vitest'
import type { Answer } from '../../../harness/answer.ts'
import { expectBytes, expectHeader, expectStatus, expectThat } from '../../../harness/finding.ts'
import { must, should } from '../../../harness/requirement.ts'
import { need } from '../../push.ts'
import { pathGateway, rfc } from '../../specifications.ts'
import { hashOf } from '../added.ts'
import { test } from '../node.ts'
import { stillSearching, unlessSilent } from '../patience.ts'

const needs = ['gateway', 'storage'] as const
const aWeek = 7 * 24 * 3600

describe('Caching of what the gateway serves', () => {
  test(
    'storage.gateway.etag',
    should(
      'The answer has an ETag: the same for the same CID, another for another',
      pathGateway('Etag (response header)', '#etag-response-header'),
      { needs },
    ),
    async ({ storage, gateway, content }) => {
      const cids = [await storage.stored(content.bytes(500)), await storage.stored(content.bytes(500))]
      const tags: string[] = []
      for (const cid of [...cids, ...cids]) {
        const answer = await gateway.get(cid)
        expectHeader(answer, 'etag')
        tags.push(answer.header('etag') ?? '')
      }
      const [first, second] = tags
      expectThat(first !== second, 'other ETags for other CIDs', String(first))
      expectThat(tags.join() === [first, second, first, second].join(), 'the same ETags again', tags.join())
    },
  )

  test(
    'storage.gateway.if-none-match',
    should('If-None-Match with the ETag of the content is answered with 304', rfc(9110)('13.1.2'), { needs }),
    async ({ storage, gateway, content, skip }) => {
      const cid = await storage.stored(content.bytes(500))
      const tag = (await gateway.get(cid)).header('etag')
      if (tag === undefined) return skip('no ETag was sent')
      const weak = tag.startsWith('W/') ? tag : `W/${tag}`
      for (const value of [tag, weak, `"nope", ${tag}`, '*']) {
        const { status } = await gateway.get(cid, { headers: { 'if-none-match': value } })
        expectThat(status === 304, `304 to If-None-Match: ${value}`, String(status))
      }
    },
  )

  test(
    'storage.gateway.if-none-match.other',
    must('If-None-Match with other ETags is answered with the content', rfc(9110)('13.1.2'), { needs }),
    async ({ storage, gateway, content }) => {
      const bytes = content.bytes(500)
      const cid = await storage.stored(bytes)
      const other = (await gateway.get(await storage.stored(content.bytes(500)))).header('etag')
      for (const value of ['"nope"', other ?? '"other"']) {
        const answer = await gateway.get(cid, { headers: { 'if-none-match': value } })
        expectStatus(answer, 200)
        expectBytes(answer, bytes.bytes)
      }
    },
  )

  test(
    'storage.gateway.304-no-body',
    must('A 304 carries no content', rfc(9110)('15.4.5'), { needs: [...needs] }),
    async ({ storage, gateway, content, skip }) => {
      const cid = await storage.stored(content.bytes(500))
      const tag = (await gateway.get(cid)).header('etag') ?? '*'
      const answer = await gateway.get(cid, { headers: { 'if-none-match': tag }, raw: true })
      skip(answer.status !== 304, 'no 304 was seen')
      expectThat(answer.body.length === 0, 'no byte after the header section', `${answer.body.length} bytes`)
    },
  )

  test(
    'storage.gateway.cache-control',
    should(
      'Content under a CID never changes, and Cache-Control says so: public, at least a week, immutable',
      pathGateway('Cache-Control (response header)', '#cache-control-response-header'),
      { needs },
    ),
    async ({ storage, gateway, content }) => {
      const answer = await gateway.get(await storage.stored(content.bytes(500)))
      expectStatus(answer, 200)
      const told = answer.header('cache-control') ?? 'no Cache-Control'
      const kept = directives(answer)
      const right = kept.has('public') && kept.has('immutable') && Number(kept.get('max-age')) >= aWeek
      expectThat(right, `public, max-age of at least ${aWeek}, immutable`, told)
      const wrong = await gateway.get('notacid')
      expectThat(
        !directives(wrong).has('immutable'),
        'no immutable error',
        String(wrong.header('cache-control')),
      )
    },
  )

  test(
    'storage.gateway.error-not-cached',
    should('An error for a CID that is absent today is not to be kept for ever', rfc(9111)('4'), { needs }),
    async ({ storage, gateway, content, skip }) => {
      const bytes = content.bytes(500)
      const hashed = await storage.add(bytes, { query: { 'only-hash': true } })
      skip(hashed.status !== 200, 'the node does not tell the CID of what it has not')
      const cid = hashOf(hashed)
      const absent = await unlessSilent(gateway.get(cid), 40)
      if (!absent) return skip(stillSearching)
      skip(absent.status === 200, 'the content was there')
      const kept = directives(absent)
      const long = kept.has('immutable') || Number(kept.get('max-age') ?? 0) >= aWeek
      expectThat(!long, 'an error that is soon asked for again', String(absent.header('cache-control')))
      need('adding', await storage.add(bytes), 200)
      const answer = await gateway.get(cid)
      expectStatus(answer, 200)
      expectBytes(answer, bytes.bytes)
    },
  )
})

/** The directives of Cache-Control, with their values. */
function directives(answer: Answer): ReadonlyMap<string, string> {
  const parts = (answer.header('cache-control') ?? '').toLowerCase().split(',')
  return new Map(
    parts.map((part) => {
      const [name = '', value = ''] = part.trim().split('=')
      return [name, value.replaceAll('"', '')]
    }),
  )
}
