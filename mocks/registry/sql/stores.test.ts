import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createClock } from '../../clock.ts'
import { type Database, openPgMem, openPostgres } from '../database.ts'
import { startEmbeddedPostgres } from '../embedded-postgres.ts'
import { ContentAbsent, type NewManifest } from '../stores.ts'
import { blobStore } from './blobs.ts'
import { garbageStore } from './garbage.ts'
import { manifestStore } from './manifests.ts'
import { repositoryStore } from './repositories.ts'
import { tagStore } from './tags.ts'
import { uploadStore } from './uploads.ts'

const postgres = await startEmbeddedPostgres()
// What is left where pg-mem is built differently than `memoryTables` knows it.
const { within: _, ...bySqlAlone } = await openPgMem()
const engines: { name: string; database: Database }[] = [
  { name: 'pg-mem', database: await openPgMem() },
  { name: 'pg-mem, by SQL alone', database: bySqlAlone },
  { name: `PostgreSQL ${postgres.version}`, database: await openPostgres(postgres.connection) },
]
afterAll(async () => {
  for (const { database } of engines) await database.close()
  await postgres.close()
})

const digest = (character: string, algorithm = 'sha256') =>
  `${algorithm}:${character.repeat(algorithm === 'sha256' ? 64 : 128)}`
const first = { last: '', limit: 100 }

describe.each(engines)('the stores on $name', ({ database }) => {
  const clock = createClock(() => 1_000_000)
  const blobs = blobStore(database, clock)
  const manifests = manifestStore(database)
  const repositories = repositoryStore(database)
  const tags = tagStore(database)
  const uploads = uploadStore(database, clock, 60_000)
  const garbage = garbageStore(database, clock)
  let restore: (() => Promise<void>) | undefined

  beforeEach(async ({ task }) => {
    task.meta.realPart = { name: 'PostgreSQL', found: `PostgreSQL ${postgres.version} (embedded)` }
    await restore?.()
    restore = await database.snapshot()
  })

  const aBlob = (character: string, more = {}) => ({
    digest: digest(character),
    cid: `Qm${character}`,
    size: 3,
    ...more,
  })
  const aManifest = (character: string, more = {}) => ({
    digest: digest(character),
    contentType: 'application/vnd.oci.image.manifest.v1+json',
    content: `{"schemaVersion": 2, "is": "${character}"}`,
    size: 31,
    blobs: [],
    manifests: [],
    ...more,
  })

  /** What keeps the repository from taking the manifest. */
  const absent = (repository: string, manifest: NewManifest): Promise<readonly string[]> =>
    manifests.put(repository, manifest, ['tag']).then(
      () => [],
      (error: unknown) =>
        error instanceof ContentAbsent ? [...error.digests].sort() : Promise.reject(error),
    )

  test('a blob belongs to the repositories that it was recorded or mounted in, and to no other', async () => {
    const blob = aBlob('a', { size: 5_000_000_000 })
    expect(await blobs.record('one/app', blob)).toBe('recorded')
    expect(await blobs.record('one/app', blob)).toBe('recorded')
    expect(await blobs.find('one/app', blob.digest)).toEqual(blob)
    expect(await blobs.find('two/app', blob.digest)).toBeUndefined()
    expect(await blobs.mount('two/app', 'none', blob.digest)).toBeUndefined()
    expect(await repositories.exists('two/app')).toBe(false)
    expect(await blobs.mount('two/app', 'one/app', blob.digest)).toEqual(blob)
    expect(await blobs.holders(blob.digest, first)).toEqual(['one/app', 'two/app'])
    expect(await blobs.remove('one/app', blob.digest)).toBe(true)
    expect(await blobs.remove('one/app', blob.digest)).toBe(false)
    expect(await blobs.find('one/app', blob.digest)).toBeUndefined()
    expect(await blobs.find('two/app', blob.digest)).toEqual(blob)
  })

  test('a blob is found, mounted and removed by its other name too', async () => {
    const alias = digest('b', 'sha512')
    await blobs.record('one', aBlob('a', { alias }))
    expect(await blobs.find('one', alias)).toEqual(aBlob('a'))
    expect(await blobs.holders(alias, first)).toEqual(['one'])
    expect(await blobs.mount('two', 'one', alias)).toEqual(aBlob('a'))
    const referring = aManifest('1', { blobs: [alias, digest('c', 'sha512')] })
    expect(await absent('two', referring)).toEqual([digest('c', 'sha512')])
    expect(await blobs.remove('two', alias)).toBe(true)
    expect(await blobs.find('two', digest('a'))).toBeUndefined()
  })

  test('a manifest keeps its exact text, and its type in each repository', async () => {
    const content = '{ "b":1, "a":"\\u00e9\\ud800 \\\\ x\' é", "nul":"\\u0000", "n":1e400, "a":2 }\n'
    await manifests.put('one', aManifest('1', { content }), ['latest'])
    await manifests.put('two', aManifest('1', { content, contentType: 'application/other' }), [])
    expect(await manifests.find('one', 'latest')).toEqual({
      digest: digest('1'),
      contentType: 'application/vnd.oci.image.manifest.v1+json',
      content,
    })
    expect((await manifests.find('two', digest('1')))?.contentType).toBe('application/other')
    expect(await manifests.find('two', 'latest')).toBeUndefined()
    expect(await manifests.find('three', digest('1'))).toBeUndefined()
  })

  test('a tag moves, is listed once and in ASCII order, and goes without its manifest', async () => {
    const names = ['b', 'B', 'a-1', 'a.1', '_x', '1', 'a_1', 'A']
    await manifests.put('one', aManifest('1'), names)
    await manifests.put('other', aManifest('1'), ['zz'])
    await manifests.put('one', aManifest('2'), ['b'])
    expect((await manifests.find('one', 'b'))?.digest).toBe(digest('2'))
    expect((await manifests.find('one', 'B'))?.digest).toBe(digest('1'))
    expect(await tags.list('one', first)).toEqual(['1', 'A', 'B', '_x', 'a-1', 'a.1', 'a_1', 'b'])
    expect(await tags.list('one', { last: 'B', limit: 2 })).toEqual(['_x', 'a-1'])
    expect(await tags.list('one', { last: 'a', limit: 1 })).toEqual(['a-1'])
    expect(await tags.list('one', { last: '', limit: 0 })).toEqual([])
    expect(await tags.remove('one', 'b')).toBe(true)
    expect(await tags.remove('one', 'b')).toBe(false)
    expect(await manifests.find('one', digest('2'))).toBeDefined()
  })

  test('a removed manifest takes its tags along, in its repository only, and can come again', async () => {
    await blobs.record('one', aBlob('a'))
    const manifest = aManifest('1', { blobs: [digest('a'), digest('f')], sparse: true })
    await manifests.put('one', manifest, ['x', 'y'])
    await manifests.put('two', manifest, ['x'])
    expect(await manifests.remove('one', digest('1'))).toBe(true)
    expect(await manifests.remove('one', digest('1'))).toBe(false)
    expect(await manifests.remove('nowhere', digest('1'))).toBe(false)
    expect(await tags.list('one', first)).toEqual([])
    expect((await manifests.find('two', 'x'))?.digest).toBe(digest('1'))
    expect(await manifests.remove('two', digest('1'))).toBe(true)
    expect(await blobs.find('one', digest('a'))).toBeDefined()
    await manifests.put('one', manifest, ['x'])
    expect((await manifests.find('one', 'x'))?.content).toBe(manifest.content)
  })

  test('what a manifest may refer to is what its repository holds', async () => {
    await blobs.record('one', aBlob('a'))
    await blobs.record('two', aBlob('b'))
    await manifests.put('one', aManifest('1'), [])
    const asked = { blobs: [digest('a'), digest('b')], manifests: [digest('1'), digest('a'), digest('2')] }
    expect(await absent('one', aManifest('3', asked))).toEqual([digest('2'), digest('b')])
    expect(await absent('new', aManifest('3', asked))).toHaveLength(4)
    const many = Array.from({ length: 230 }, (_, index) => `sha256:${String(index).padStart(64, '0')}`)
    expect(await absent('one', aManifest('3', { blobs: many }))).toEqual(many)
    expect(await manifests.find('one', digest('3'))).toBeUndefined()
    expect(await tags.list('one', first)).toEqual([])
    expect(await absent('one', aManifest('3', { blobs: [digest('a')], manifests: [digest('1')] }))).toEqual(
      [],
    )
  })

  test('referrers are those of one subject in one repository, filtered and paged', async () => {
    const subject = digest('9')
    const about = (character: string, artifactType: string) =>
      manifests.put('one', aManifest(character, { subject, artifactType, annotations: '{"k":"v"}' }), [])
    await about('3', 'a/x')
    await about('1', 'a/x')
    await about('2', 'a/y')
    await manifests.put('one', aManifest('4', { subject: digest('8') }), [])
    await manifests.put('two', aManifest('5', { subject }), [])
    const list = async (more = {}) =>
      (await manifests.referrers('one', subject, { ...first, ...more })).map((entry) => entry.digest)
    expect(await list()).toEqual([digest('1'), digest('2'), digest('3')])
    expect(await list({ limit: 1, last: digest('1') })).toEqual([digest('2')])
    expect(await list({ artifactType: 'a/x' })).toEqual([digest('1'), digest('3')])
    expect((await manifests.referrers('two', subject, first))[0]).toEqual({
      digest: digest('5'),
      contentType: 'application/vnd.oci.image.manifest.v1+json',
      size: 31,
    })
    expect((await manifests.referrers('one', subject, first))[0]).toMatchObject({ annotations: '{"k":"v"}' })
    await manifests.remove('one', digest('1'))
    expect(await list()).toEqual([digest('2'), digest('3')])
  })

  test('a session takes chunks in order, belongs to its repository, and closes with its blob', async () => {
    const upload = { id: 'u1', repository: 'one', algorithm: 'sha512', size: 0 } as const
    const chunk = (start: number, size: number) => ({ start, size, cid: `Qm${start}`, sha256: digest('c') })
    await uploads.open(upload)
    expect(await uploads.find('one', 'u1')).toEqual(upload)
    expect(await uploads.find('two', 'u1')).toBeUndefined()
    expect(await uploads.append('u1', chunk(0, 10))).toBe(true)
    expect(await uploads.append('u1', chunk(0, 10))).toBe(false)
    expect(await uploads.append('u1', chunk(11, 1))).toBe(false)
    expect(await uploads.append('u1', { ...chunk(10, 5), sha512: digest('d', 'sha512') })).toBe(true)
    expect((await uploads.find('one', 'u1'))?.size).toBe(15)
    expect(await uploads.chunks('u1')).toEqual([
      chunk(0, 10),
      { ...chunk(10, 5), sha512: digest('d', 'sha512') },
    ])
    expect(await blobs.record('one', aBlob('a', { upload: { id: 'u1', size: 10 } }))).toBe('gone')
    expect(await blobs.find('one', digest('a'))).toBeUndefined()
    expect(await blobs.record('one', aBlob('a', { upload: { id: 'u1', size: 15 } }))).toBe('recorded')
    expect(await uploads.find('one', 'u1')).toBeUndefined()
    expect(await uploads.append('u1', chunk(15, 1))).toBe(false)
  })

  test('a session can be cancelled, once, and expires', async () => {
    const open = (id: string) => uploads.open({ id, repository: 'one', algorithm: 'sha256', size: 0 })
    await open('u1')
    await open('u2')
    expect(await uploads.cancel('two', 'u1')).toBe(false)
    expect(await uploads.cancel('one', 'u1')).toBe(true)
    expect(await uploads.cancel('one', 'u1')).toBe(false)
    await clock.set(clock.now() + 60_000)
    expect(await uploads.find('one', 'u2')).toBeUndefined()
    expect(await uploads.expire()).toBe(1)
    expect(await uploads.expire()).toBe(0)
  })

  test('content that nothing holds is condemned, claimed by one, and pinned again by a push that comes late', async () => {
    const hours = (count: number) => clock.set(clock.now() + count * 3600_000)
    await blobs.record('one', aBlob('a', { alias: digest('e', 'sha512') }))
    await blobs.record('one', aBlob('b'))
    await manifests.put('one', aManifest('1', { blobs: [digest('b')] }), [])
    for (const name of ['a', 'b']) await blobs.remove('one', digest(name))
    await garbage.condemn()
    expect(await garbage.claim()).toEqual([])
    await hours(1)
    expect(await garbage.claim()).toEqual(['Qma'])
    expect(await garbage.claim()).toEqual([])
    expect(await blobs.record('one', aBlob('a'))).toBe('unpinned')
    expect(await blobs.find('one', digest('a'))).toBeUndefined()
    await garbage.collected('Qma')
    expect(await blobs.record('one', aBlob('a'))).toBe('unpinned')
    expect(await blobs.record('one', aBlob('a'))).toBe('recorded')
    expect(await blobs.find('one', digest('a'))).toEqual(aBlob('a'))
    await hours(2)
    await garbage.condemn()
    expect(await garbage.claim()).toEqual([])
  })

  test('content that was foreseen and never recorded is claimed, and recorded content never', async () => {
    for (const cid of ['Qma', 'Qmb', 'Qmc']) await garbage.foresee(cid)
    await blobs.record('one', aBlob('a'))
    await blobs.record('one', aBlob('b'))
    await garbage.foresee('Qmb')
    await clock.set(clock.now() + 2 * 3600_000)
    expect(await garbage.claim()).toEqual(['Qmc'])
    await garbage.condemn()
    expect(await blobs.record('two', aBlob('b'))).toBe('recorded')
    await blobs.remove('one', digest('a'))
    await garbage.condemn()
    await clock.set(clock.now() + 2 * 3600_000)
    expect(await garbage.claim()).toEqual(['Qmc', 'Qma'])
  })

  test('condemned content is taken back by a push', async () => {
    await blobs.record('one', aBlob('a'))
    await blobs.remove('one', digest('a'))
    await garbage.condemn()
    expect(await blobs.record('two', aBlob('a'))).toBe('recorded')
    await clock.set(clock.now() + 2 * 3600_000)
    expect(await garbage.claim()).toEqual([])
  })

  test('a transaction that fails leaves nothing', async () => {
    const failing = database.transaction(async ({ query }) => {
      await query('insert into repository (name) values ($1)', ['half'])
      throw new Error('on the way')
    })
    await expect(failing).rejects.toThrow('on the way')
    expect(await repositories.list(first)).toEqual([])
  })

  test('parallel pushes of one blob and one tag, and removals, end in a state that an order explains', async () => {
    const names = ['1', '2', '3', '4', '5', '6', '7', '8']
    await Promise.all(names.map(() => blobs.record('one', aBlob('a'))))
    await Promise.all(
      names.map((name) => manifests.put('one', aManifest(name, { blobs: [digest('a')] }), ['tag'])),
    )
    expect(await tags.list('one', first)).toEqual(['tag'])
    const digests = names.map((name) => digest(name))
    expect(digests).toContain((await manifests.find('one', 'tag'))?.digest)
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([
        manifests.put('one', aManifest('1'), ['race']),
        manifests.remove('one', digest('1')),
        manifests.put('two', aManifest('1'), ['race']),
        manifests.remove('two', digest('1')),
      ])
      for (const repository of ['one', 'two']) {
        const listed = (await tags.list(repository, first)).includes('race')
        expect(listed).toBe((await manifests.find(repository, 'race')) !== undefined)
        expect(listed).toBe((await manifests.find(repository, digest('1'))) !== undefined)
      }
    }
  })
})
