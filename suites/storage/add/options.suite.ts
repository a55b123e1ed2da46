import { describe } from 'vitest'
import { expectBytes, expectStatus, expectThat } from '../../../harness/finding.ts'
import { may, should } from '../../../harness/requirement.ts'
import { need } from '../../push.ts'
import { unixfs } from '../../specifications.ts'
import { hashOf } from '../added.ts'
import { cidOf } from '../cid.ts'
import { golden, largeGolden } from '../golden.ts'
import { test } from '../node.ts'
import { stillSearching, unlessSilent } from '../patience.ts'
import { command } from '../sources.ts'

const needs = ['storage'] as const
const sha256 = 0x12

describe('CIDs that add gives', () => {
  test(
    'storage.add.reference-cid',
    should(
      'With default options the CID is that of Kubo: CIDv0, blocks of 256 KiB, balanced, 174 links a node',
      unixfs('UnixFS'),
      { needs },
    ),
    async ({ run, storage }) => {
      const large = run.capabilities['allow.large']?.offered ? [largeGolden] : []
      for (const [make, cid] of [...golden, ...large]) {
        const bytes = make()
        const seen = hashOf(await storage.add(bytes))
        expectThat(seen === cid, `${cid} for the ${bytes.size} bytes with ${bytes.digest}`, seen)
      }
    },
  )

  test(
    'storage.add.cid-version',
    may('cid-version=1 yields a CIDv1 of the same content', command('add'), { needs }),
    async ({ storage, content, skip }) => {
      const bytes = content.bytes(300_000)
      const answer = await storage.add(bytes, { query: { 'cid-version': 1 } })
      skip(answer.status >= 400, 'the node refuses cid-version')
      const cid = hashOf(answer)
      skip(cidOf(cid).version === 0, 'the node ignores cid-version')
      const { version, multihash } = cidOf(cid)
      const seen = `version ${version}, hash function ${multihash.code}, ${cid}`
      expectThat(cid.startsWith('b') && multihash.code === sha256, 'a CIDv1 in base32 with sha2-256', seen)
      const read = await storage.cat(cid)
      expectStatus(read, 200)
      expectBytes(read, bytes.bytes)
    },
  )

  test(
    'storage.add.only-hash',
    may('only-hash computes the CID that a real add gives, and stores nothing', command('add'), { needs }),
    async ({ storage, content, skip }) => {
      const bytes = content.bytes(400_000)
      const hashed = await storage.add(bytes, { query: { 'only-hash': true } })
      skip(hashed.status >= 400, 'the node refuses only-hash')
      const cid = hashOf(hashed)
      const read = await unlessSilent(storage.cat(cid, { timeout: '2s' }), 10)
      if (!read) return skip(stillSearching)
      const ignored = read.status === 200 && Buffer.compare(read.body, bytes.bytes) === 0
      expectThat(!ignored, 'nothing stored by only-hash', 'the content, by cat')
      const added = hashOf(need('adding', await storage.add(bytes), 200))
      expectThat(added === cid, `the CID ${cid} that only-hash told`, added)
    },
  )
})
