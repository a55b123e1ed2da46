import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openPgMem, openPostgres } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { imageOf, ociManifest, pushBlob, putManifest, type Rig, sha256, startRig } from './rig.contract.ts'

const postgres = await startEmbeddedPostgres()
const engines: [string, Database][] = [
  ['pg-mem', await openPgMem()],
  [`PostgreSQL ${postgres.version}`, await openPostgres(postgres.connection)],
]
afterAll(async () => {
  for (const [, database] of engines) await database.close()
  await postgres.close()
})

describe.each(engines)('a registry on %s', (_, database) => {
  let rig: Rig
  let token: string
  beforeAll(async () => {
    rig = await startRig({ database })
    token = await rig.tokenFor('owner', 'repository:app:pull,push', 'repository:a/b:pull,push')
    await pushBlob(await rig.as('app'), 'app', Buffer.from('{}'))
  })
  afterAll(() => rig.close())

  /** Sends bytes as they are, and reads until the server closes. */
  async function raw(text: string): Promise<string> {
    const { hostname, port } = new URL(rig.url)
    const socket = connect(Number(port), hostname)
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    socket.on('error', () => undefined)
    socket.write(Buffer.from(text, 'latin1'))
    await once(socket, 'close')
    return Buffer.concat(parts).toString('latin1')
  }

  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

  const request = (method: string, target: string, headers: Record<string, string> = {}, body = '') =>
    [
      `${method} ${target} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${token}`,
      'Connection: close',
      ...Object.entries({ 'Content-Length': String(body.length), ...headers }).map(
        ([name, value]) => `${name}: ${value}`,
      ),
      '',
      body,
    ].join('\r\n')

  test.each([
    ['GET', 'http://other.example/v2/'],
    ['GET', '/v2/%'],
    ['GET', '/v2/%ff%fe/manifests/%00'],
    ['GET', '/v2/app/manifests/%2e%2e'],
    ['GET', '/v2/../v2/app/tags/list'],
    ['GET', '/v2/app%2f..%2fother/tags/list'],
    ['GET', '/v2/app/tags/list?n=999999999999999999999999999&last=%00'],
    ['GET', '/v2/app/tags/list?n=1e3&last'],
    ['GET', '/v2/_catalog?n=&last=%E0%A4'],
    ['GET', `/v2/${'a/'.repeat(3000)}b/tags/list`],
    ['GET', '//v2//'],
    ['GET', '/'],
    ['GET', '*'],
    ['OPTIONS', '/v2/'],
    ['TRACE', '/v2/'],
    ['PUT', '/v2/app/manifests/sha512:abc'],
    ['PUT', `/v2/app/manifests/${'x'.repeat(129)}`],
    ['DELETE', '/v2/app/blobs/uploads/'],
    ['PATCH', '/v2/app/blobs/uploads/not-a-uuid'],
    ['POST', `/v2/app/blobs/uploads/?mount=${'x'.repeat(5000)}&from=%00`],
    ['POST', '/v2/app/blobs/uploads/?digest='],
    ['POST', '/token?scope=%00&scope=:::'],
    ['PATCH', '/v2/app/blobs/uploads/%00'],
    ['GET', '/v2/app/blobs/uploads/%ED%A0%80'],
    ['POST', `/v2/app/blobs/uploads/?mount=${sha256('{}')}&from=%00`],
    ['GET', `/v2/app/referrers/${sha256('x')}?artifactType=%00&last=%00`],
  ])('%s %s is refused or answered, never a 5xx', async (method, target) => {
    const status = statusOf(await raw(request(method, target)))
    expect(status).toBeGreaterThanOrEqual(200)
    expect(status).toBeLessThan(500)
  })

  test.each([
    ['an artifact type', { artifactType: 'a\0b' }, 400],
    ['an annotation', { annotations: { 'k\0': 'v\0' } }, 201],
    ['anything else', { x: '\0', '\0': ['\0'] }, 201],
  ])('a NUL in %s of a referrer', async (_, more, status) => {
    const call = await rig.as('app')
    const subject = { mediaType: ociManifest, digest: sha256('s'), size: 1 }
    const put = await putManifest(call, 'app', 'nul', imageOf(Buffer.from('{}'), [], { subject, ...more }))
    expect(put.status).toBe(status)
    expect((await call('GET', `/v2/app/referrers/${subject.digest}`)).status).toBe(200)
  })

  test('a request in absolute form is answered like any other', async () => {
    expect(statusOf(await raw(request('GET', 'http://other.example:81/v2/')))).toBe(200)
  })

  test('names and references beyond the grammar or 255 characters are refused', async () => {
    const call = await rig.as('app')
    const long = (length: number) => `/v2/${'a'.repeat(length)}/tags/list`
    expect((await call('GET', long(256))).status).toBe(400)
    const token255 = await rig.tokenFor('owner', `repository:${'a'.repeat(255)}:pull`)
    const fits = await fetch(`${rig.url}${long(255)}`, { headers: { authorization: `Bearer ${token255}` } })
    expect(fits.status).toBe(404)
    for (const name of ['A', 'a..b', 'a___b', '-a', 'a-', 'a//b', 'a_', 'é']) {
      expect((await call('GET', `/v2/${encodeURI(name)}/tags/list`)).status).toBe(400)
    }
    for (const tag of ['.a', '-a', 'a b', 'a+b', 'é', 'a'.repeat(129)]) {
      expect((await call('GET', `/v2/app/manifests/${encodeURIComponent(tag)}`)).status).toBe(400)
    }
  })

  test('whatever a client sends, the answer is not a 5xx', async () => {
    const odd = fc.oneof(
      fc
        .string({ unit: 'binary', maxLength: 40 })
        .map((text) => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, ''))),
      fc.stringMatching(/^[!-~]{0,40}$/),
      fc.constantFrom(
        'app',
        'a/b',
        'blobs',
        'uploads',
        'manifests',
        'tags',
        'list',
        '_catalog',
        sha256('{}'),
        '..',
        '%2e',
      ),
    )
    const target = fc.array(odd, { maxLength: 6 }).map((parts) => `/v2/${parts.join('/')}`)
    const query = fc.dictionary(
      fc.constantFrom('n', 'last', 'digest', 'mount', 'from', 'tag', 'artifactType'),
      odd,
    )
    const headers = fc.dictionary(
      fc.constantFrom(
        'Range',
        'Content-Range',
        'Content-Type',
        'If-None-Match',
        'If-Range',
        'Accept',
        'Host',
      ),
      fc.stringMatching(/^[!-~]{1,60}$/),
    )
    const method = fc.constantFrom('GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS')
    const body = fc
      .oneof(fc.json(), fc.stringMatching(/^[ -~]{0,60}$/))
      .map((text) => Buffer.from(text).toString('latin1'))
    await fc.assert(
      fc.asyncProperty(method, target, query, headers, body, async (verb, path, values, more, content) => {
        const search = Object.entries(values).map(([name, value]) => `${name}=${value}`)
        const sent = request(
          verb,
          `${path}?${search.join('&')}`.replace(/\s/g, '+'),
          more,
          verb === 'GET' ? '' : content,
        )
        const status = statusOf(await raw(sent))
        expect(status).toBeGreaterThanOrEqual(200)
        expect(status).toBeLessThan(500)
      }),
      { numRuns: 200 },
    )
  }, 30_000)
})
