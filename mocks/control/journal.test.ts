import { expect, test } from 'vitest'
import { createClock } from '../clock.ts'
import type { Service } from './fault.ts'
import { createJournal, WaitTimeout } from './journal.ts'

const journalAt = (ms: number) => createJournal(createClock(() => ms))

const request = (method: string, path: string, headers: Record<string, string> = {}) =>
  new Request(`http://127.0.0.1:5000${path}`, { method, headers })

const digest = `sha256:${'0'.repeat(64)}`

test.for<[string, Service, string, string | null, string | null]>([
  ['GET', 'registry', '/v2/', 'oci.base.get', null],
  ['POST', 'registry', '/token', 'oci.token.post', null],
  ['GET', 'registry', '/v2/_catalog?n=1', 'oci.catalog.get', null],
  ['GET', 'registry', '/v2/a/b/tags/list', 'oci.tags.get', 'a/b'],
  ['PUT', 'registry', '/v2/a/manifests/1', 'oci.manifest.put', 'a'],
  ['HEAD', 'registry', `/v2/a/b/c/blobs/${digest}`, 'oci.blob.head', 'a/b/c'],
  ['POST', 'registry', '/v2/a/blobs/uploads/', 'oci.upload.post', 'a'],
  ['PATCH', 'registry', '/v2/a/blobs/uploads/0-1', 'oci.upload.patch', 'a'],
  ['GET', 'registry', `/v2/a/referrers/${digest}`, 'oci.referrers.get', 'a'],
  ['GET', 'registry', '/else', null, null],
  ['POST', 'storage', '/api/v0/pin/add?arg=x', 'ipfs.pin.add', null],
  ['GET', 'gateway', '/ipfs/x', 'gateway.get', null],
])('%s to the %s at %s is %s', ([method, service, path, operation, repository]) => {
  const journal = journalAt(0)
  journal.receive(service, request(method, path))
  expect(journal.list().requests).toMatchObject([{ operation, repository, status: null, outcome: 'pending' }])
})

test('tells the account and no credentials', () => {
  const journal = journalAt(0)
  const payload = Buffer.from(JSON.stringify({ sub: 'reader' })).toString('base64url')
  const basic = Buffer.from('own:er:secret').toString('base64')
  journal.receive(
    'registry',
    request('GET', '/token?password=secret&service=s', { authorization: `Basic ${basic}` }),
  )
  journal.receive('registry', request('GET', '/v2/', { authorization: `Bearer x.${payload}.secret` }))
  journal.receive('registry', request('GET', '/v2/', { authorization: 'Bearer secret' }))
  const { requests } = journal.list()
  expect(requests.map(({ account }) => account)).toEqual(['own', 'reader', null])
  expect(requests[0]?.query).toEqual({ password: '…', service: 's' })
  expect(JSON.stringify(requests)).not.toContain('secret')
})

test('keeps the newest 1,000 and counts the others', () => {
  const journal = journalAt(0)
  for (let index = 0; index < 2500; index += 1)
    journal.receive('registry', request('GET', `/v2/r${index}/tags/list`))
  const { total, dropped, requests } = journal.list()
  expect([total, dropped, requests.length]).toEqual([2500, 1500, 1000])
  expect([requests.at(0)?.seq, requests.at(-1)?.seq]).toEqual([1501, 2500])
})

test('filters by every key, with classes of statuses and globs', () => {
  const journal = journalAt(Date.UTC(2030, 0, 1))
  const put = journal.receive('registry', request('PUT', '/v2/team/app/manifests/1'))
  journal.settle(put, 'answered', 201)
  journal.settle(journal.receive('registry', request('GET', '/v2/other/manifests/1')), 'answered', 404)
  const seqs = (filter: Parameters<typeof journal.list>[0]) =>
    journal.list(filter).requests.map(({ seq }) => seq)
  expect(seqs({ operation: 'oci.manifest.*' })).toEqual([1, 2])
  expect(seqs({ repository: 'team/*' })).toEqual([1])
  expect(seqs({ status: '4xx' })).toEqual([2])
  expect(seqs({ status: 201, method: 'put' })).toEqual([1])
  expect(seqs({ path: '/v2/*/manifests/1', service: 'storage' })).toEqual([])
  expect(journal.list().requests[0]).toMatchObject({ at: '2030-01-01T00:00:00.000Z', status: 201 })
  expect(() => journal.list({ status: 'fine' })).toThrow('"status" is a number')
})

test('waits for the n-th answer, not for the request alone', async () => {
  const journal = journalAt(0)
  const waiting = journal.waitFor({ operation: 'oci.base.get' }, { count: 2 })
  const [first, second] = [request('GET', '/v2/'), request('GET', '/v2/')].map((one) =>
    journal.receive('registry', one),
  )
  let done = false
  const watched = waiting.then((list) => {
    done = true
    return list
  })
  if (first) journal.settle(first, 'answered', 200)
  await Promise.resolve()
  expect(done).toBe(false)
  if (second) journal.settle(second, 'cut', null)
  expect((await watched).requests.map(({ outcome }) => outcome)).toEqual(['answered', 'cut'])
})

test('a wait that fails shows the nearest miss', async () => {
  const journal = journalAt(0)
  journal.settle(journal.receive('registry', request('PUT', '/v2/a/manifests/1')), 'answered', 500)
  journal.settle(journal.receive('registry', request('GET', '/v2/')), 'answered', 200)
  const failed = journal.waitFor({ operation: 'oci.manifest.put', status: 201 }, { timeoutMs: 0 })
  await expect(failed).rejects.toBeInstanceOf(WaitTimeout)
  await expect(failed).rejects.toMatchObject({ nearest: { seq: 1 } })
})
