import { describe } from 'vitest'
import type { Content } from '../../../fixtures/content.ts'
import { concat } from '../../../fixtures/content.ts'
import { expectBytes, expectStatus, expectThat } from '../../../harness/finding.ts'
import { may, must } from '../../../harness/requirement.ts'
import { need } from '../../push.ts'
import { kuboConfig } from '../../specifications.ts'
import { collect, inTurn, readIfThere } from '../collection.ts'
import { type StorageNode, test } from '../node.ts'
import { stillSearching } from '../patience.ts'
import { api, deployment } from '../sources.ts'

const needs = ['storage', 'allow.gc'] as const
const fresh = true

/** Content without a pin, and the same content pinned by pin/add. */
const loose = (storage: StorageNode, content: Content) => storage.stored(content, { pin: false })
async function pinned(storage: StorageNode, content: Content): Promise<string> {
  const cid = await loose(storage, content)
  need('pinning', await storage.rpc('pin/add', { arg: cid }), 200)
  return cid
}

async function expectThere(storage: StorageNode, cid: string, { bytes }: Content): Promise<void> {
  const answer = await storage.cat(cid, { timeout: '5s' }, { fresh })
  expectStatus(answer, 200)
  expectBytes(answer, bytes)
}

describe('Pins and garbage collection', () => {
  test(
    'storage.pin',
    must('Pinned content survives garbage collection', api, { needs }),
    async ({ storage, content, skip }) => {
      await inTurn(storage, async () => {
        const bytes = content.bytes(5000)
        const control = await loose(storage, content.bytes(5000))
        const cid = await pinned(storage, bytes)
        // A pin may be used up by the first.
        for (let i = 0; i < 2; i += 1) await collect(storage, skip)
        await expectThere(storage, cid, bytes)
        const left = await readIfThere(storage, control)
        skip(
          left?.status === 200,
          'content without a pin stayed as well, so nothing shows that a collection ran',
        )
      })
    },
  )

  test(
    'storage.pin.protects-all-blocks',
    must('A pin protects the whole content, not only its first block', api, { needs }),
    async ({ storage, content, skip }) => {
      await inTurn(storage, async () => {
        const bytes = content.bytes(1_500_000)
        const cid = await pinned(storage, bytes)
        await collect(storage, skip)
        await expectThere(storage, cid, bytes)
      })
    },
  )

  test(
    'storage.pin.shared-blocks',
    must('Blocks that pinned content shares with other content survive a collection', deployment, { needs }),
    async ({ storage, content, skip }) => {
      await inTurn(storage, async () => {
        const first = content.bytes(262_144)
        const kept = concat([first, content.bytes(1000)])
        await loose(storage, concat([first, content.bytes(2000)]))
        const cid = await pinned(storage, kept)
        await loose(storage, concat([first, content.bytes(3000)]))
        await collect(storage, skip)
        await expectThere(storage, cid, kept)
      })
    },
  )

  test(
    'storage.pin.collects-unpinned',
    may(
      'Content without a pin goes at a collection',
      kuboConfig('Datastore.GCPeriod', '#datastoregcperiod'),
      { needs },
    ),
    async ({ storage, content, skip }) => {
      await inTurn(storage, async () => {
        const cid = await loose(storage, content.bytes(4 << 20))
        await collect(storage, skip)
        const answer = await readIfThere(storage, cid)
        if (!answer) return skip(stillSearching)
        expectThat(answer.status >= 400, 'an error to cat of what was collected', String(answer.status))
      })
    },
  )
})
