import { describe } from 'vitest'
import type { Answer } from '../../harness/answer.ts'
import { expectJson, expectStatus, expectThat } from '../../harness/finding.ts'
import { may, must, should } from '../../harness/requirement.ts'
import { need } from '../push.ts'
import { jsonLines } from './added.ts'
import { cidOfNothing } from './cid.ts'
import { inTurn } from './collection.ts'
import { type StorageNode, test } from './node.ts'
import { stillSearching, unlessSilent } from './patience.ts'
import { api, command, deployment } from './sources.ts'

const needs = ['storage'] as const

const pin = (storage: StorageNode, cid: string) => storage.rpc('pin/add', { arg: cid })

describe('Pins', () => {
  test(
    'storage.pin.add',
    must('pin/add of content that was added succeeds', api, { needs }),
    async ({ storage, content }) => {
      await inTurn(storage, async () => {
        const cid = await storage.stored(content.bytes(1000), { pin: false })
        expectStatus(await pin(storage, cid), 200)
      })
    },
  )

  test(
    'storage.pin.add.shape',
    should('The answer to pin/add names what was pinned', command('pin/add'), { needs }),
    async ({ storage, content }) => {
      const cid = await storage.stored(content.bytes(1000))
      const answer = await pin(storage, cid)
      expectStatus(answer, 200)
      const { Pins } = Object(expectJson(answer)) as { readonly Pins?: unknown }
      const named = Array.isArray(Pins) && Pins.includes(cid)
      expectThat(named, `Pins, an array that holds ${cid}`, JSON.stringify(Pins) ?? 'none')
    },
  )

  test(
    'storage.pin.repeat',
    must('Pinning again succeeds: one layer is pushed many times', deployment, { needs }),
    async ({ storage, content }) => {
      const cid = await storage.stored(content.bytes(1000))
      for (let i = 0; i < 3; i += 1) expectStatus(await pin(storage, cid), 200)
    },
  )

  test(
    'storage.pin.concurrent',
    must('Parallel pins of one CID all succeed', deployment, { needs }),
    async ({ storage, content }) => {
      const cid = await storage.stored(content.bytes(300_000))
      const answers = await Promise.all(Array.from({ length: 8 }, () => pin(storage, cid)))
      for (const answer of answers) expectStatus(answer, 200)
    },
  )

  test(
    'storage.pin.unknown',
    should('Pinning content that the node does not have is not reported as done', api, { needs }),
    async ({ storage, content, skip }) => {
      const cid = cidOfNothing(content.bytes(64).bytes)
      const answer = await unlessSilent(storage.rpc('pin/add', { arg: cid, timeout: '2s' }), 10)
      if (!answer) return skip(stillSearching)
      expectThat(answer.status >= 400, 'an error for content that nobody has', String(answer.status))
    },
  )

  test(
    'storage.pin.invalid-cid',
    should('Pinning something that is no CID, or nothing, is refused', api, { needs }),
    async ({ storage }) => {
      for (const query of [{ arg: 'notacid' }, { arg: '' }, {}]) {
        const { status } = await storage.rpc('pin/add', query)
        expectThat(status >= 400, `an error to pin/add?${new URLSearchParams(query)}`, String(status))
      }
    },
  )

  test(
    'storage.pin.ls',
    may('pin/ls lists what is pinned, and nothing else', command('pin/ls'), { needs }),
    async ({ storage, content, skip }) => {
      const [cid, other] = await inTurn(storage, async () => {
        const kept = await storage.stored(content.bytes(1000), { pin: false })
        const loose = await storage.stored(content.bytes(900), { pin: false })
        need('pinning', await pin(storage, kept), 200)
        return [kept, loose] as const
      })
      const answer = await storage.rpc('pin/ls', { type: 'recursive' })
      skip(answer.status !== 200, 'the node does not list pins')
      const listed = pinsOf(answer)
      expectThat(listed.get(cid) === 'recursive', `${cid} as recursive`, String(listed.get(cid)))
      expectThat(!listed.has(other), `${other}, which was added without a pin, not listed`, 'listed')
      const asked = await storage.rpc('pin/ls', { arg: other })
      const claimed = asked.status === 200 && pinsOf(asked).has(other)
      expectThat(!claimed, `${other}, which was added without a pin, not pinned`, 'pinned')
    },
  )

  test(
    'storage.pin.rm',
    may('pin/rm ends the protection, once', command('pin/rm'), { needs }),
    async ({ storage, content, skip }) => {
      const cid = await storage.stored(content.bytes(1000))
      need('pinning', await pin(storage, cid), 200)
      const removed = await storage.rpc('pin/rm', { arg: cid })
      skip(removed.status !== 200, 'the node does not remove pins')
      const again = await storage.rpc('pin/rm', { arg: cid })
      expectThat(again.status >= 400, 'an error to a second pin/rm', String(again.status))
      const listed = await storage.rpc('pin/ls', { type: 'recursive' })
      skip(listed.status !== 200, 'the node does not list pins')
      expectThat(!pinsOf(listed).has(cid), `${cid} not listed after pin/rm`, 'listed')
    },
  )
})

/** The type of each pin by its CID: one object, or a line for each pin. */
function pinsOf(answer: Answer): ReadonlyMap<string, unknown> {
  const pins = new Map<string, unknown>()
  for (const line of jsonLines(answer)) {
    if (typeof line['Cid'] === 'string') pins.set(line['Cid'], line['Type'])
    for (const [cid, each] of Object.entries(Object(line['Keys']))) {
      pins.set(cid, (Object(each) as { readonly Type?: unknown }).Type)
    }
  }
  return pins
}
