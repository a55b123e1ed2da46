import type { Content } from '../../fixtures/content.ts'
import type { Answer } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import { createHttpClient, type HttpClient } from '../../harness/http.ts'
import { form } from '../multipart.ts'
import { need } from '../push.ts'
import { test as base } from '../registry.ts'
import { rootOf } from '../storage/added.ts'

/** The storage node behind the registry, as far as a requirement on both looks at it. */
export interface StorageNode {
  /** The CID that the content has when it is added with default options; nothing is stored. `base` spells it otherwise. */
  cidOf(content: Content, base?: string): Promise<string>
  /** Whether the content is pinned under its default CID; a registry may have added it with other options. */
  keeps(cid: string): Promise<boolean>
  /** Whether the node has the content at all. */
  has(cid: string): Promise<boolean>
  /** The bytes that everything on the node takes up. */
  size(): Promise<number>
  /**
   * Does the work while the node has a fault for requests with this CID, and for no others. `hits` tells how many it
   * met. The fault is off again when this resolves or rejects.
   */
  faulty<T>(
    fault: StorageFault,
    cid: string,
    work: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly hits: number }>
}

const paths = {
  'storage.cat.last-byte-wrong': '/api/v0/cat',
  'storage.cat.last-byte-missing': '/api/v0/cat',
  'storage.cat.fails': '/api/v0/cat',
  'storage.cat.hangs-up': '/api/v0/cat',
  'storage.pin.add.fails': '/api/v0/pin/add',
  'storage.pin.add.hangs-up': '/api/v0/pin/add',
} as const

/** Ids of faults in `storage.faults.ts`. */
export type StorageFault = keyof typeof paths

/** `test` for what the registry and its storage node promise together. */
export const test = base.extend('storage', ({ run, session, http, record }): StorageNode => {
  const { url = '', control = '' } = run.targets.storage ?? {}
  const rpc = (command: string, query: string, options = {}) =>
    http.request('POST', `${url}/api/v0/${command}?${query}`, options)
  // Outlives a requirement that is given up: what was switched on has to be switched off.
  const { transport, redactor, observer } = session
  const steering = createHttpClient({ transport, redactor, record, observer })
  return {
    async cidOf(content, base) {
      const query = `only-hash=true${base ? `&cid-base=${base}` : ''}`
      return member(need('computing a CID', await rpc('add', query, form(content)), 200), 'Hash')
    },
    keeps: async (cid) => (await rpc('pin/ls', `arg=${cid}`)).status === 200,
    has: async (cid) => (await rpc('cat', `arg=${cid}&length=1&offline=true`)).status === 200,
    async size() {
      const answer = need('asking for the size of the node', await rpc('repo/stat', 'size-only=true'), 200)
      return Number(member(answer, 'RepoSize'))
    },
    faulty: (fault, cid, work) =>
      inTurn(fault, () => misbehaving(steering, new URL('faults/', control).href, fault, cid, work)),
  }
})

function member(answer: Answer, name: string): string {
  const value = rootOf(answer)[name] ?? ''
  if (value === '') throw new PrerequisiteFailure(`${answer.url} answered without ${name}`)
  return String(value)
}

const turns = new Map<string, Promise<unknown>>()

/** A fault that is switched on again forgets what it was switched on for, so it serves one requirement at a time. */
function inTurn<T>(fault: string, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(fault) ?? Promise.resolve()).then(work, work)
  turns.set(
    fault,
    turn.catch(() => undefined),
  )
  return turn
}

async function misbehaving<T>(
  steering: HttpClient,
  faults: string,
  fault: StorageFault,
  cid: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly hits: number }> {
  const body = JSON.stringify({ match: { path: paths[fault], query: { arg: cid } } })
  need(
    'switching a fault of the storage node on',
    await steering.request('PUT', faults + fault, { body }),
    200,
  )
  try {
    const result = await work()
    return { result, hits: hitsOf(await steering.request('GET', faults), fault) }
  } finally {
    need('switching the fault off', await steering.request('DELETE', faults + fault), 204)
  }
}

function hitsOf(answer: Answer, fault: string): number {
  const { active } = need('asking for the faults', answer, 200).json() as {
    readonly active: readonly { readonly id: string; readonly hits: number }[]
  }
  return active.find(({ id }) => id === fault)?.hits ?? 0
}
