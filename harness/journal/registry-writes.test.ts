import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { observed } from './observed.test-support.ts'
import { registryWrites } from './registry-writes.ts'

const registry = 'http://r.example:5000'
const repository = 'assay/seven/a'
const v2 = `${registry}/v2/${repository}`
const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
const sha512 = `sha512:${'0'.repeat(128)}`
const blob = (digest: string) => ({ kind: 'blob', repository, digest })
const upload = (id: string, url?: string) => ({ kind: 'upload', repository, id, ...(url && { url }) })

let journal: ReturnType<typeof observed>
beforeEach(() => {
  let made = 0
  journal = observed(registryWrites(() => String(++made)))
})

const start = (location: string) =>
  journal.tell({ method: 'POST', url: `${v2}/blobs/uploads/`, status: 202, answer: { location } })

describe('manifests', () => {
  test('go by their own digest and by their tags, before they are sent', async () => {
    const body = JSON.stringify({ manifests: [{ digest: 'sha256:c' }], subject: { digest: 'sha256:s' } })
    const things = await journal.tell({ method: 'PUT', url: `${v2}/manifests/v1?tag=v2`, body })
    expect(things).toEqual([
      { kind: 'manifest', repository, digest: sha256(body), refers: ['sha256:c', 'sha256:s'] },
      { kind: 'tag', repository, tag: 'v1' },
      { kind: 'tag', repository, tag: 'v2' },
    ])
  })

  test('under another algorithm go by both digests', async () => {
    const things = await journal.tell({
      method: 'PUT',
      url: `${v2}/manifests/${sha512}`,
      body: '{}',
      status: 201,
    })
    expect(things).toEqual([{ kind: 'manifest', repository, digest: sha256('{}'), alias: sha512 }])
  })

  test.for([
    [201, 2],
    [400, 0],
    [307, 0],
    [500, 2],
  ] as const)('an answer %i leaves %i things', async ([status, left]) => {
    expect(await journal.tell({ method: 'PUT', url: `${v2}/manifests/t`, body: '{}', status })).toHaveLength(
      left,
    )
  })

  test('reading and deleting make nothing', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      expect(await journal.tell({ method, url: `${v2}/manifests/t`, status: 202 })).toEqual([])
    }
    expect(journal.events).toEqual([])
  })
})

describe('blobs', () => {
  test('an upload is followed from Location to Location until a blob comes of it', async () => {
    expect(await journal.tell({ method: 'POST', url: `${v2}/blobs/uploads/` })).toEqual([upload('1')])
    expect(await start('/opaque?state=a%2Fb&n=1')).toContainEqual(
      upload('2', `${registry}/opaque?state=a%2Fb&n=1`),
    )
    const patched = await journal.tell({
      method: 'PATCH',
      url: `${registry}/opaque?state=a%2Fb&n=1`,
      status: 202,
      answer: { location: 'https://store.example/u?X=1' },
    })
    expect(patched).toContainEqual(upload('2', 'https://store.example/u?X=1'))
    const closing = { method: 'PUT', url: `https://store.example/u?X=1&digest=${sha256('x')}` }
    expect(await journal.tell(closing)).toContainEqual(blob(sha256('x')))
    expect(await journal.tell({ ...closing, status: 201 })).toEqual([upload('1'), blob(sha256('x'))])
  })

  test('an upload stays open when its closing is refused, and is gone when it is cancelled', async () => {
    await start('/u/1')
    const closing = { method: 'PUT', url: `${registry}/u/1?digest=sha256:0`, status: 400 }
    expect(await journal.tell(closing)).toEqual([upload('1', `${registry}/u/1`)])
    expect(await journal.tell({ method: 'DELETE', url: `${registry}/u/1`, status: 204 })).toEqual([])
  })

  test('two uploads whose Locations differ in their query alone are told apart', async () => {
    await start('/u?id=1')
    await start('/u?id=2')
    await journal.tell({ method: 'PUT', url: `${registry}/u?id=1&digest=${sha256('x')}`, status: 201 })
    expect(journal.things()).toEqual([upload('2', `${registry}/u?id=2`), blob(sha256('x'))])
  })

  test.for([
    ['a single POST', `digest=${sha256('x')}`, 201, [blob(sha256('x'))]],
    ['a mount', `mount=${sha256('x')}&from=b`, 201, [blob(sha256('x'))]],
    ['a mount that becomes an upload', `mount=${sha256('x')}&from=b`, 202, [upload('1', `${registry}/u`)]],
    ['a refusal', `digest=${sha256('x')}`, 400, []],
    ['another algorithm', `digest=${sha512}`, 201, [blob(sha512), blob(sha256('x'))]],
  ] as const)('%s', async ([_, query, status, things]) => {
    const url = `${v2}/blobs/uploads/?${query}`
    const answer = { location: '/u' }
    expect(await journal.tell({ method: 'POST', url, body: 'x', status, answer })).toEqual(things)
  })

  test('the name that the registry gives to a blob counts too', async () => {
    await start('/u')
    const url = `${registry}/u?digest=${sha512}`
    const answer = { 'docker-content-digest': sha256('whole') }
    const things = await journal.tell({ method: 'PUT', url, status: 201, answer })
    expect(things).toEqual([blob(sha512), blob(sha256('whole'))])
  })
})
