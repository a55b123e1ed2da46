import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Call,
  codeOf,
  imageOf,
  ociManifest,
  pushBlob,
  putManifest,
  type Rig,
  sha256,
  startRig,
} from './rig.contract.ts'

const index = 'application/vnd.oci.image.index.v1+json'
const config = Buffer.from('{}')

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

async function repository(name: string): Promise<Call> {
  const call = await rig.as(name)
  await pushBlob(call, name, config)
  return call
}

test('referrers are listed with what they say of themselves, whether pushed before or after their subject', async () => {
  const call = await repository('ref/all')
  const image = imageOf(config, [])
  const subject = { mediaType: ociManifest, digest: sha256(image), size: Buffer.byteLength(image) }
  const typed = imageOf(config, [], {
    subject,
    artifactType: 'app/sbom+json',
    annotations: { k: 'v', '': 'é' },
  })
  const untyped = imageOf(config, [], { subject })
  const list = JSON.stringify({ schemaVersion: 2, mediaType: index, manifests: [], subject })
  const before = await putManifest(call, 'ref/all', 'tagged', typed)
  expect([before.status, before.headers.get('oci-subject')]).toEqual([201, subject.digest])
  const plain = await putManifest(call, 'ref/all', 'image', image)
  expect(plain.headers.get('oci-subject')).toBeNull()
  await putManifest(call, 'ref/all', sha256(untyped), untyped)
  await putManifest(call, 'ref/all', sha256(list), list, index)
  const answer = await call('GET', `/v2/ref/all/referrers/${subject.digest}`)
  expect([
    answer.status,
    answer.headers.get('content-type'),
    answer.headers.get('oci-filters-applied'),
  ]).toEqual([200, index, null])
  const entry = (text: string, mediaType: string) => ({
    mediaType,
    digest: sha256(text),
    size: Buffer.byteLength(text),
  })
  const found = (await answer.json()) as { manifests: object[] }
  expect(found).toMatchObject({ schemaVersion: 2, mediaType: index })
  expect(found.manifests).toHaveLength(3)
  expect(found.manifests).toEqual(
    expect.arrayContaining([
      { ...entry(typed, ociManifest), artifactType: 'app/sbom+json', annotations: { k: 'v', '': 'é' } },
      { ...entry(untyped, ociManifest), artifactType: 'application/vnd.oci.image.config.v1+json' },
      entry(list, index),
    ]),
  )
  for (const spelling of ['app/sbom+json', encodeURIComponent('app/sbom+json')]) {
    const filtered = await call('GET', `/v2/ref/all/referrers/${subject.digest}?artifactType=${spelling}`)
    expect(filtered.headers.get('oci-filters-applied')).toBe('artifactType')
    expect(((await filtered.json()) as typeof found).manifests).toHaveLength(1)
  }
  await call('DELETE', `/v2/ref/all/manifests/${sha256(typed)}`)
  await call('DELETE', `/v2/ref/all/manifests/${subject.digest}`)
  const after = await call('GET', `/v2/ref/all/referrers/${subject.digest}`)
  expect(((await after.json()) as typeof found).manifests).toHaveLength(2)
})

test('a long list is paged, keeps its filter, and names everything once', async () => {
  const call = await repository('ref/pages')
  const subject = { mediaType: ociManifest, digest: sha256('never pushed'), size: 12 }
  const texts = Array.from({ length: 7 }, (_, at) =>
    imageOf(config, [], { subject, artifactType: 'a/b', at }),
  )
  for (const text of texts)
    expect((await putManifest(call, 'ref/pages', sha256(text), text)).status).toBe(201)
  const seen: string[] = []
  let next: string | undefined = `/v2/ref/pages/referrers/${subject.digest}?artifactType=a/b&n=3`
  let pages = 0
  while (next !== undefined) {
    const page: Response = await call('GET', next)
    expect(page.headers.get('oci-filters-applied')).toBe('artifactType')
    seen.push(
      ...((await page.json()) as { manifests: { digest: string }[] }).manifests.map(({ digest }) => digest),
    )
    next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    pages += 1
  }
  expect(pages).toBe(3)
  expect([...seen].sort()).toEqual(texts.map(sha256).sort())
})

test('an unknown subject or repository has an empty list, a malformed digest is refused', async () => {
  const call = await rig.as('ref/none')
  const empty = await call('GET', `/v2/ref/none/referrers/${sha256('nothing')}`)
  expect([empty.status, ((await empty.json()) as { manifests: [] }).manifests]).toEqual([200, []])
  for (const wrong of ['sha256:abc', 'latest', `sha256:${'A'.repeat(64)}`]) {
    const refused = await call('GET', `/v2/ref/none/referrers/${wrong}`)
    expect([refused.status, await codeOf(refused)]).toEqual([400, 'DIGEST_INVALID'])
  }
})

test('a push by digest sets the tags that it names, under sha512 too', async () => {
  const call = await repository('ref/tags')
  const image = imageOf(config, [])
  const names = Array.from({ length: 12 }, (_, at) => `t${at}`)
  const digest = `sha512:${createHash('sha512').update(image).digest('hex')}`
  const put = await putManifest(
    call,
    'ref/tags',
    `${digest}?${names.map((name) => `tag=${name}`).join('&')}`,
    image,
  )
  expect([put.status, put.headers.get('oci-tag'), put.headers.get('docker-content-digest')]).toEqual([
    201,
    names.join(', '),
    digest,
  ])
  for (const reference of ['t0', 't11', digest]) {
    const pulled = await call('GET', `/v2/ref/tags/manifests/${reference}`)
    expect([pulled.headers.get('docker-content-digest'), await pulled.text()]).toEqual([digest, image])
  }
  const many = Array.from({ length: 500 }, (_, at) => `tag=x${at}`).join('&')
  expect((await putManifest(call, 'ref/tags', `${digest}?${many}`, image)).status).toBe(414)
  expect((await putManifest(call, 'ref/tags', `${digest}?tag=fine&tag=.bad`, image)).status).toBe(400)
  const wrong = await putManifest(call, 'ref/tags', sha256('other'), image)
  expect([wrong.status, await codeOf(wrong)]).toEqual([400, 'DIGEST_INVALID'])
  expect(await (await call('GET', '/v2/ref/tags/tags/list')).json()).toEqual({
    name: 'ref/tags',
    tags: names.sort(),
  })
})

test('a blob is pushed and pulled by its sha512, and is the same blob by its sha256', async () => {
  const call = await rig.as('ref/sha512')
  const bytes = randomBytes(2000)
  const digest = `sha512:${createHash('sha512').update(bytes).digest('hex')}`
  for (const query of ['', '?digest-algorithm=sha512']) {
    const started = await call('POST', `/v2/ref/sha512/blobs/uploads/${query}`)
    const location = started.headers.get('location') ?? ''
    await call('PATCH', location, { body: bytes })
    const closed = await call('PUT', `${location}?digest=${digest}`)
    expect([closed.status, closed.headers.get('docker-content-digest')]).toEqual([201, digest])
  }
  for (const name of [digest, sha256(bytes)]) {
    const pulled = await call('GET', `/v2/ref/sha512/blobs/${name}`)
    expect(pulled.headers.get('docker-content-digest')).toBe(name)
    expect(Buffer.from(await pulled.arrayBuffer()).equals(bytes)).toBe(true)
  }
  const refused = await call('POST', '/v2/ref/sha512/blobs/uploads/?digest-algorithm=md5')
  expect(refused.status).toBe(400)
})

test('a manifest may have 4 MiB, and no more', async () => {
  const call = await repository('ref/size')
  const limit = 4 * 1024 * 1024
  const bare = Buffer.byteLength(imageOf(config, [], { annotations: { a: '' } }))
  const sized = (size: number) => imageOf(config, [], { annotations: { a: 'x'.repeat(size - bare) } })
  const largest = sized(limit)
  expect(Buffer.byteLength(largest)).toBe(limit)
  expect((await putManifest(call, 'ref/size', 'largest', largest)).status).toBe(201)
  expect(sha256(await (await call('GET', '/v2/ref/size/manifests/largest')).text())).toBe(sha256(largest))
  for (const size of [limit + 1, 17 * 1024 * 1024]) {
    expect((await putManifest(call, 'ref/size', 'over', sized(size))).status).toBe(413)
  }
  const chunked = await call('PUT', '/v2/ref/size/manifests/over', {
    body: new Blob([sized(limit + 1000)]).stream(),
    duplex: 'half',
    headers: { 'content-type': ociManifest },
  } as RequestInit)
  expect(chunked.status).toBe(413)
  expect((await call('HEAD', '/v2/ref/size/manifests/over')).status).toBe(404)
})

const descriptor = { mediaType: 'x/y', digest: sha256(config), size: 2 }
const image = (more: object) => JSON.stringify({ schemaVersion: 2, config: descriptor, layers: [], ...more })

test.each([
  ['no JSON', '{"schemaVersion": 2,', undefined, 'MANIFEST_INVALID'],
  ['a list', '[]', undefined, 'MANIFEST_INVALID'],
  ['bytes that are no text', Buffer.from([0x7b, 0xff, 0x7d]), undefined, 'MANIFEST_INVALID'],
  ['no config', JSON.stringify({ schemaVersion: 2, layers: [] }), undefined, 'MANIFEST_INVALID'],
  ['no layers', JSON.stringify({ schemaVersion: 2, config: descriptor }), undefined, 'MANIFEST_INVALID'],
  ['no list of manifests', '{"schemaVersion":2}', index, 'MANIFEST_INVALID'],
  ['schema 1', image({ schemaVersion: 1 }), undefined, 'MANIFEST_INVALID'],
  ['a negative size', image({ layers: [{ ...descriptor, size: -1 }] }), undefined, 'MANIFEST_INVALID'],
  ['a bad digest', image({ layers: [{ ...descriptor, digest: 'sha256:x' }] }), undefined, 'MANIFEST_INVALID'],
  ['layers that are no list', image({ layers: {} }), undefined, 'MANIFEST_INVALID'],
  ['another mediaType', image({ mediaType: index }), undefined, 'MANIFEST_INVALID'],
  ['a type of 256 characters', '{}', `a/${'b'.repeat(254)}`, 'MANIFEST_INVALID'],
  ['a bad subject', image({ subject: { digest: 'x' } }), undefined, 'MANIFEST_INVALID'],
  ['too deep', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, 'x/y', 'MANIFEST_INVALID'],
  [
    'an absent layer',
    image({ layers: [{ ...descriptor, digest: sha256('gone') }] }),
    undefined,
    'MANIFEST_BLOB_UNKNOWN',
  ],
  [
    'an absent child',
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...descriptor, digest: sha256('gone') }] }),
    index,
    'MANIFEST_BLOB_UNKNOWN',
  ],
])('a manifest with %s is refused and leaves nothing', async (_, body, type = ociManifest, code) => {
  const call = await repository('ref/refused')
  const headers = { 'content-type': type }
  const refused = await call('PUT', '/v2/ref/refused/manifests/bad', { body: body as BodyInit, headers })
  expect([refused.status, await codeOf(refused)]).toEqual([code === 'MANIFEST_INVALID' ? 400 : 404, code])
  expect((await call('GET', '/v2/ref/refused/manifests/bad')).status).toBe(404)
  expect((await call('GET', `/v2/ref/refused/manifests/${sha256(body)}`)).status).toBe(404)
  expect(await (await call('GET', '/v2/ref/refused/tags/list')).json()).toMatchObject({ tags: [] })
})

test.each([
  ['no mediaType, with parameters on the Content-Type', image({}), `${ociManifest}; charset=utf-8`],
  ['an empty index', JSON.stringify({ schemaVersion: 2, manifests: [] }), index],
  ['Docker schema 2', image({}), 'application/vnd.docker.distribution.manifest.v2+json'],
  [
    'an unknown type',
    '{"anything": [1, {"digest": 7}], "manifests": "no", "\\u0000": 1e400}',
    'application/vnd.example+json',
  ],
  [
    'a layer that lies elsewhere',
    image({
      layers: [
        {
          ...descriptor,
          mediaType: 'application/vnd.oci.image.layer.nondistributable.v1.tar',
          digest: sha256('away'),
        },
      ],
    }),
    ociManifest,
  ],
])('a manifest with %s is taken', async (_, body, type) => {
  const call = await repository('ref/taken')
  expect((await putManifest(call, 'ref/taken', 'x', body, type)).status).toBe(201)
  const pulled = await call('GET', '/v2/ref/taken/manifests/x')
  expect([pulled.headers.get('content-type'), await pulled.text()]).toEqual([type.split(';')[0], body])
})

test('absent content is accepted where the registry is told so', async () => {
  const sparse = await startRig({ sparse: true })
  const call = await sparse.as('some')
  const manifest = imageOf(config, [Buffer.from('absent')])
  expect((await putManifest(call, 'some', 'x', manifest)).status).toBe(201)
  await sparse.close()
})
