import { isDeepStrictEqual } from 'node:util'
import { describe } from 'vitest'
import type { Answer } from '../../../harness/answer.ts'
import { expectThat } from '../../../harness/finding.ts'
import { must, should } from '../../../harness/requirement.ts'
import { digestHeader } from '../../digest.ts'
import { need, pushBlob } from '../../push.ts'
import { rfc } from '../../specifications.ts'
import { askFor, references, test } from '../existing.ts'
import { askForBlob, askForManifest, isRedirect, type ReadMethod } from '../existing-reads.ts'
import { blobPath } from '../named-content.ts'
import { emptyBlob } from '../push/empty-blob.ts'
import { badRequests } from './bad-requests.ts'

const on = ({ method, url }: Answer) => `${method} ${new URL(url).pathname}`

/** What an answer tells in its status and, on success, in the fields that HEAD and GET share. */
function told(answer: Answer, other: Answer): readonly string[] {
  // HEAD may leave out a size that is known only once the content is made, and GET has none under a transfer coding.
  const length = answer.header('content-length') ?? other.header('content-length')
  const fields = ['content-type', digestHeader].map((name) => `${name}: ${answer.header(name) ?? 'none'}`)
  return [String(answer.status), ...(answer.status === 200 ? [...fields, `content-length: ${length}`] : [])]
}

describe('HTTP', () => {
  test(
    'oci.base.http.head-no-body',
    must('An answer to HEAD ends with its header section, on success and on error.', rfc(9110)('9.3.2'), {
      needs: ['direct'],
    }),
    async ({ client, manifest, blob, content }) => {
      const { digest } = content.bytes(32)
      const asked = { method: 'HEAD', raw: true }
      const answers = [
        await askFor(client, manifest, manifest.digest, asked),
        await askFor(client, manifest, digest, asked),
        await client.head(blobPath(blob), { raw: true }),
        await client.head(blobPath({ ...blob, digest }), { raw: true }),
      ]
      for (const answer of answers) {
        const { length } = answer.body
        expectThat(length === 0, `no byte after the header section on ${on(answer)}`, `${length} bytes`)
      }
    },
  )

  test(
    'oci.base.http.head-get-parity',
    should('HEAD has the status and the header fields that GET has.', rfc(9110)('9.3.2')),
    async ({ client, registry, manifest, blob, content, skip }) => {
      const { digest } = content.bytes(32)
      const follow = false
      const reads = [
        (method: ReadMethod) => askForManifest(registry, method, manifest),
        (method: ReadMethod) => askForBlob(registry, method, blob),
        (method: ReadMethod) => askFor(client, manifest, digest, { method, follow }),
        (method: ReadMethod) => client.request(method, blobPath({ ...blob, digest }), { follow }),
      ]
      const pairs = await Promise.all(
        reads.map(async (read) => [await read('GET'), await read('HEAD')] as const),
      )
      const direct = pairs.filter(([get]) => !isRedirect(get))
      skip(direct.length === 0, 'every GET was redirected')
      for (const [get, head] of direct) {
        const [wanted, seen] = [told(get, head), told(head, get)]
        expectThat(isDeepStrictEqual(seen, wanted), `${on(head)}: ${wanted}, as on GET`, seen.join(', '))
      }
    },
  )

  test(
    'oci.base.http.no-5xx-on-bad-input',
    should('What a client sends wrong is never answered with a status of the 500s.', rfc(9110)('15.6'), {
      needs: ['push'],
    }),
    async ({ client, repository, manifest, blob }) => {
      for (const { what, send } of badRequests({ client, repository, manifest, blob })) {
        const { status } = await send()
        expectThat(status < 500, `a status below 500 on ${what}`, String(status))
      }
    },
  )

  test(
    'oci.base.http.content-length-true',
    must('Content-Length, where it is sent, is the number of bytes that follow.', rfc(9110)('8.6'), {
      needs: ['direct'],
    }),
    async ({ client, manifest, blob, content, skip }) => {
      const unknown = content.bytes(32).digest
      const ranged = (range: string) => client.get(blobPath(blob), { raw: true, headers: { range } })
      const answers = [
        await askFor(client, manifest, manifest.digest, { raw: true }),
        await askFor(client, manifest, unknown, { raw: true }),
        await client.get(blobPath(blob), { raw: true }),
        await ranged('bytes=1-9'),
        await ranged(`bytes=${blob.bytes.length}-`),
      ]
      const told = answers.filter((answer) => answer.header('content-length') !== undefined)
      skip(told.length === 0, 'no answer has a Content-Length')
      for (const answer of told) {
        const length = answer.header('content-length')
        const wanted = `${length} bytes, as Content-Length says, on ${on(answer)} (${answer.status})`
        expectThat(String(answer.body.length) === length, wanted, `${answer.body.length} bytes`)
      }
    },
  )

  test(
    'oci.base.http.head-content-length-true',
    must('Content-Length of a HEAD, where it is sent, is the size of the content.', rfc(9110)('8.6')),
    async ({ client, registry, manifest, blob, run, repository, content, skip }) => {
      const blobs = [blob]
      if (run.capabilities.push?.offered) {
        const large = await pushBlob(client, repository, content.bytes(70_000))
        const { closed, ...empty } = await emptyBlob(registry)
        need('pushing a blob of no bytes', closed, 201)
        blobs.push(empty, { repository, digest: large.digest, bytes: large.bytes })
      }
      const asked = [
        ...references(manifest).map(async (reference) => ({
          answer: await askFor(client, manifest, reference, { method: 'HEAD' }),
          size: manifest.bytes.length,
        })),
        ...blobs.map(async (blob) => ({
          answer: await client.head(blobPath(blob), { fresh: true }),
          size: blob.bytes.length,
        })),
      ]
      const told = (await Promise.all(asked)).filter(
        ({ answer }) => answer.header('content-length') !== undefined,
      )
      skip(told.length === 0, 'no HEAD tells a Content-Length')
      for (const { answer, size } of told) {
        const length = answer.header('content-length') ?? ''
        expectThat(length === String(size), `Content-Length: ${size} on ${on(answer)}`, length)
      }
    },
  )
})
