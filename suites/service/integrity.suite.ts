import { describe } from 'vitest'
import type { Content } from '../../fixtures/content.ts'
import type { Answer } from '../../harness/answer.ts'
import { expectRefusal, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { eachCase } from '../each-case.ts'
import { type PushForm, pushForms } from '../oci/push/forms.ts'
import { closeUpload, locationOf, need, pushBlob, sendChunk, startUpload } from '../push.ts'
import { expectBlob, expectNoBlob, readBlob } from '../readback.ts'
import { rfc, theService } from '../specifications.ts'
import { unlessBroken } from '../unless-broken.ts'
import { test } from './storage-node.ts'

const deployment = theService('Deployment', '#deployment')
const steered = ['registry', 'push', 'storage', 'storage.control'] as const
const elsewhere = 'the registry keeps content under other CIDs than those of default options'

const lastChunkInPut: PushForm = async (client, repository, content, digest) => {
  const half = Math.floor(content.size / 2)
  const sent = await sendChunk(client, await startUpload(client, repository), content.slice(0, half), 0)
  return closeUpload(client, locationOf(need('a chunk', sent, 202)), digest, content.slice(half))
}
const nothing: PushForm = async (client, repository, _, digest) =>
  closeUpload(client, await startUpload(client, repository), digest)

describe('Integrity of content', () => {
  test(
    'service.integrity.computed',
    must('The registry computes the digest of every upload itself, whatever its form and size', deployment, {
      needs: ['push'],
    }),
    async ({ client, repository, content }) => {
      const small = content.bytes(5000)
      const cases: readonly (readonly [string, { form: PushForm; sent: Content }])[] = [
        ...pushForms.map(([name, form]) => [name, { form, sent: small }] as const),
        ['the last chunk in the PUT', { form: lastChunkInPut, sent: small }],
        ['an empty body', { form: nothing, sent: small }],
        ['POST and PUT of 9 MiB', { form: wholeInPut, sent: content.bytes(9 << 20) }],
      ]
      await eachCase(cases, async ({ form, sent }) => {
        const { digest } = content.bytes(5000)
        expectRefusal(await form(client, repository, sent, digest))
        await expectNoBlob(client, repository, digest)
      })
    },
  )

  test(
    'service.integrity.verified-on-pull',
    must('Content that no longer matches its digest is not delivered as a whole with 200', deployment, {
      needs: steered,
      on: 'stack',
    }),
    async ({ client, repository, content, storage, skip }) => {
      const damages = ['storage.cat.last-byte-wrong', 'storage.cat.last-byte-missing'] as const
      for (const size of [3000, 3 << 19]) {
        const blob = await pushBlob(client, repository, content.bytes(size))
        const cid = await storage.cidOf(blob)
        skip(!(await storage.keeps(cid)), elsewhere)
        for (const damage of damages) {
          const pull = () => unlessBroken(readBlob(client, repository, blob.digest))
          const { result, hits } = await storage.faulty(damage, cid, pull)
          skip(hits === 0, 'the registry did not read the content from the storage node')
          expectNotDelivered(result, blob)
        }
        await expectBlob(client, repository, blob)
      }
    },
  )

  test(
    'service.integrity.storage-down',
    should(
      'While the storage node cannot be reached, pulls and pushes fail with 5xx: not with 404, which clients take for absence, nor with 201',
      rfc(9110)('15.6'),
      { needs: steered, on: 'stack' },
    ),
    async ({ client, repository, content, storage, skip }) => {
      const blob = await pushBlob(client, repository, content.bytes(3000))
      const cid = await storage.cidOf(blob)
      skip(!(await storage.keeps(cid)), elsewhere)
      const pull = () => readBlob(client, repository, blob.digest)
      const pulled = await storage.faulty('storage.cat.hangs-up', cid, pull)
      skip(pulled.hits === 0, 'the registry did not read the content from the storage node')
      expectOutage(pulled.result)

      const other = content.bytes(3000)
      const location = await startUpload(client, repository)
      const push = () => closeUpload(client, location, other.digest, other)
      const pushed = await storage.faulty('storage.pin.add.hangs-up', await storage.cidOf(other), push)
      skip(pushed.hits === 0, 'the registry did not pin by pin/add')
      expectOutage(pushed.result)
      await expectBlob(client, repository, blob)
    },
  )
})

const wholeInPut: PushForm = async (client, repository, content, digest) =>
  closeUpload(client, await startUpload(client, repository), digest, content)

/** A registry that has a sound copy may deliver that. */
function expectNotDelivered(answer: Answer | undefined, { bytes }: Content): void {
  const failed = answer === undefined || answer.status >= 500
  const sound = answer?.status === 200 && Buffer.compare(answer.body, bytes) === 0
  expectThat(failed || sound, 'a 5xx or a broken transfer', `${answer?.status} with other bytes`)
}

function expectOutage({ method, status }: Answer): void {
  expectThat(status >= 500, `5xx on ${method} while the storage node is down`, String(status))
}
