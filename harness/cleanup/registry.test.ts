import { describe, expect, test } from 'vitest'
import { fakeHttp, type Reply } from '../fake-http.test-support.ts'
import type { JournalEvent } from '../journal/event.ts'
import type { Thing } from '../journal/thing.ts'
import { createRedactor } from '../redactor.ts'
import { createRegistryClient } from '../registry-client.ts'
import { cleanRegistry } from './registry.ts'
import { createRemover } from './remover.ts'

const url = 'http://r.example'
const repository = 'n/a'
const manifest = (digest: string, ...refers: string[]): Thing => ({
  kind: 'manifest',
  repository,
  digest,
  ...(refers.length > 0 && { refers }),
})
const tag: Thing = { kind: 'tag', repository, tag: 't' }
const blob = (digest: string): Thing => ({ kind: 'blob', repository, digest })

async function cleaned(things: readonly Thing[], reply: (request: string) => Reply, concurrency = 1) {
  const { http, sent } = fakeHttp((one) =>
    reply(`${one.method} ${one.url.slice(`${url}/v2/${repository}`.length)}`),
  )
  const target = { url }
  const options = { target, access: { scheme: 'open' as const }, account: 'owner' as const, http }
  const client = createRegistryClient({ ...options, redactor: createRedactor(), tokens: new Map() })
  const events: JournalEvent[] = []
  const journal = { note: (event: JournalEvent) => events.push(event), close: () => {} }
  const remover = createRemover({ journal, concurrency, signal: new AbortController().signal })
  const left = await cleanRegistry(client, things, remover)
  const asked = sent.map((one) => `${one.method} ${one.url.replace(`${url}/v2/${repository}`, '')}`)
  return { left, asked, gone: events.flatMap((event) => ('gone' in event ? event.gone : [])) }
}

test('tags go first, then manifests before those that they refer to, then blobs', async () => {
  const things = [
    blob('b'),
    manifest('child'),
    manifest('index', 'child'),
    manifest('referrer', 'index'),
    tag,
  ]
  const { asked, left, gone } = await cleaned(things, () => [202])
  expect(asked).toEqual([
    'DELETE /manifests/t',
    'DELETE /manifests/referrer',
    'DELETE /manifests/index',
    'DELETE /manifests/child',
    'DELETE /blobs/b',
  ])
  expect(left).toEqual([])
  expect(gone).toHaveLength(things.length)
})

test('manifests that refer to each other are removed all the same', async () => {
  const { left, gone } = await cleaned([manifest('a', 'b'), manifest('b', 'a')], () => [202])
  expect(left).toEqual([])
  expect(gone).toHaveLength(2)
})

test('what a registry never deletes is asked for once, and the rest is left', async () => {
  const { asked, left } = await cleaned(['a', 'b', 'c'].map(blob), () => [405])
  expect(asked).toEqual(['DELETE /blobs/a'])
  expect(left.map(({ reason, again }) => [reason, again])).toEqual(
    Array(3).fill(['DELETE of a blob answered 405', false]),
  )
})

describe('a tag that cannot be deleted', () => {
  const refusing =
    (...pages: readonly Reply[]) =>
    (request: string): Reply =>
      request === 'DELETE /manifests/t'
        ? [405]
        : (pages[request === 'GET /tags/list' ? 0 : request.startsWith('GET') ? 1 : -1] ?? [202])

  test('is gone with its manifest', async () => {
    expect(await cleaned([tag, manifest('m')], refusing([200, {}, { tags: null }]))).toMatchObject({
      left: [],
      gone: [manifest('m'), tag],
    })
  })

  test('is left where nobody can tell', async () => {
    const { left } = await cleaned([tag, manifest('m')], refusing([500]))
    expect(left).toMatchObject([{ thing: tag, again: true }])
  })

  test('is left where it is still listed', async () => {
    const { left } = await cleaned(
      [tag, manifest('m')],
      refusing(
        [200, { Link: '</v2/n/a/tags/list?n=1&last=s>; rel="next"' }, { tags: ['s'] }],
        [200, {}, { tags: ['t'] }],
      ),
    )
    expect(left).toMatchObject([{ thing: tag, reason: 'DELETE of a tag answered 405' }])
  })
})

test('what is not there is gone; what was refused or failed is left to try again', async () => {
  const answers: Record<string, Reply> = { a: [404], b: [401], c: [503] }
  const { left, gone } = await cleaned(
    ['a', 'b', 'c'].map(blob),
    (request) => answers[request.at(-1) ?? ''] ?? [500],
  )
  expect(gone).toEqual([blob('a')])
  expect(left).toMatchObject([
    { thing: blob('b'), again: true, denied: true },
    { thing: blob('c'), again: true },
  ])
})

test('an upload is cancelled at its Location with the access of its repository', async () => {
  const open: Thing = { kind: 'upload', repository, id: '1', url: 'http://r.example/u?x=1' }
  const unknown: Thing = { kind: 'upload', repository, id: '2' }
  const { asked, left } = await cleaned([open, unknown], () => [204])
  expect(asked).toEqual(['DELETE http://r.example/u?x=1'])
  expect(left).toMatchObject([{ thing: unknown, again: false }])
})

test('a manifest that has two digests goes by both', async () => {
  const both: Thing = { kind: 'manifest', repository, digest: 'sha256:1', alias: 'sha512:2' }
  const { asked, left } = await cleaned([both], (request) => [request.includes('512') ? 202 : 404])
  expect(asked).toEqual(['DELETE /manifests/sha512:2', 'DELETE /manifests/sha256:1'])
  expect(left).toEqual([])
})

test('an upload whose registry wants the right to delete is cancelled', async () => {
  const at = `${url}/v2/${repository}/blobs/uploads/u`
  const realm = `${url}/token`
  const wants = { 'WWW-Authenticate': `Bearer realm="${realm}",scope="repository:${repository}:delete"` }
  const { http } = fakeHttp((one) => {
    if (one.url.startsWith(realm)) return [200, {}, { token: new URL(one.url).searchParams.get('scope') }]
    return one.headers['authorization']?.endsWith(':delete') ? [204] : [401, wants]
  })
  const target = { url, accounts: { owner: { username: 'o', password: 'p' } } }
  const access = { scheme: 'bearer', realm, tokenRequest: 'get-basic' } as const
  const options = { target, access, account: 'owner' as const, http, redactor: createRedactor() }
  const client = createRegistryClient({ ...options, tokens: new Map() })
  const journal = { note: () => {}, close: () => {} }
  const remover = createRemover({ journal, concurrency: 1, signal: new AbortController().signal })
  expect(
    await cleanRegistry(client, [{ kind: 'upload', repository, url: at, id: 'u' } as Thing], remover),
  ).toEqual([])
})
