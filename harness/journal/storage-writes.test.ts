import { expect, test } from 'vitest'
import { fakeHttp, type Reply } from '../fake-http.test-support.ts'
import { observed } from './observed.test-support.ts'
import { storageWrites } from './storage-writes.ts'

const node = 'http://node.example:5001'
const add = `${node}/api/v0/add`

/** A node on which `QmOld` is pinned already; it foretells the CIDs that a body holds. */
function connected(special: (path: string) => Reply | undefined = () => undefined) {
  const { http, sent } = fakeHttp(({ url, body }) => {
    const { pathname, searchParams } = new URL(url)
    const reply = special(pathname)
    if (reply) return reply
    if (pathname.endsWith('/add')) return [200, {}, { Name: 'x', Hash: body, Size: '1' }]
    const arg = searchParams.get('arg')
    if (pathname.endsWith('/block/stat')) {
      return arg === 'QmOld' || arg === 'QmThere'
        ? [200, {}, { Key: arg }]
        : [500, {}, { Message: 'ipld: could not find x' }]
    }
    if (arg === 'QmOld') return [200, {}, { Keys: { QmOld: { Type: 'recursive' } } }]
    return [500, {}, { Message: `path '${arg}' is not pinned`, Code: 0, Type: 'error' }]
  })
  return { journal: observed(storageWrites(node, http)), sent }
}

test('the pin and the content are noted before they are sent', async () => {
  const { journal, sent } = connected()
  expect(await journal.tell({ method: 'POST', url: `${add}?cid-version=1`, body: 'QmNew' })).toEqual([
    { kind: 'pin', cid: 'QmNew' },
    { kind: 'block', cid: 'QmNew' },
  ])
  expect(sent.map(({ url }) => url)).toEqual([
    `${add}?cid-version=1&only-hash=true`,
    `${node}/api/v0/pin/ls?arg=QmNew&type=recursive`,
    `${node}/api/v0/block/stat?arg=QmNew&offline=true`,
  ])
})

test("of content that was there without a pin, only the pin is the run's own", async () => {
  const { journal } = connected()
  expect(await journal.tell({ method: 'POST', url: add, body: 'QmThere', status: 200 })).toEqual([
    { kind: 'pin', cid: 'QmThere' },
  ])
})

test('content without a pin is noted too', async () => {
  const { journal } = connected()
  const told = { method: 'POST', url: `${add}?pin=false`, body: 'QmNew', status: 200 }
  expect(await journal.tell(told)).toEqual([{ kind: 'block', cid: 'QmNew' }])
})

test('what was pinned before the run is not its own, however often it is added', async () => {
  const { journal } = connected()
  for (let i = 0; i < 2; i += 1) {
    expect(await journal.tell({ method: 'POST', url: add, body: 'QmOld', status: 200 })).toEqual([])
  }
})

test('a refused pin is none, as the API answers 500 to what it did not do', async () => {
  const { journal } = connected()
  const pin = (arg: string) => ({ method: 'POST', url: `${node}/api/v0/pin/add?arg=${arg}` })
  expect(await journal.tell({ ...pin('notacid'), status: 500 })).toEqual([])
  expect(await journal.tell({ ...pin('QmNew'), status: 200 })).toEqual([{ kind: 'pin', cid: 'QmNew' }])
})

test('a node that foretells nothing, or lists no pins, leaves it unclear whose a pin is', async () => {
  const silent = connected((path) => (path.endsWith('/add') ? [400] : undefined)).journal
  const told = { method: 'POST', url: add, body: 'x', status: 200, text: '{"Hash":"QmNew"}' }
  expect(await silent.tell(told)).toEqual([{ kind: 'pin', cid: 'QmNew', unclear: true }])
  const secretive = connected((path) => (/\/(?:ls|stat)$/.test(path) ? [404] : undefined)).journal
  expect(await secretive.tell({ method: 'POST', url: add, body: 'QmNew' })).toEqual([
    { kind: 'pin', cid: 'QmNew', unclear: true },
  ])
})

test.for([`${add}?only-hash=true`, `${node}/api/v0/cat?arg=QmNew`, 'http://elsewhere/api/v0/add'])(
  '%s pins nothing',
  async (url) => {
    const { journal, sent } = connected()
    expect(await journal.tell({ method: 'POST', url, body: 'QmNew', status: 200 })).toEqual([])
    expect(sent).toEqual([])
  },
)
