import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Need } from '../capability.ts'
import { TargetFailure } from '../errors.ts'
import { fakeHttp, type Reply, type Sent } from '../fake-http.test-support.ts'
import { createRedactor } from '../redactor.ts'
import type { RegistryAccess } from '../registry-client.ts'
import type { RegistryTarget } from '../target.ts'
import { probeRegistry } from './registry.ts'

const base = 'http://registry.example'
const uploads = /^\/v2\/(.+)\/blobs\/uploads\/$/

/** A registry that takes every push and offers everything. */
function generous({ method, url }: Sent): Reply {
  const { pathname, searchParams } = new URL(url)
  if (method === 'POST' && uploads.test(pathname)) {
    const done = searchParams.has('digest') || searchParams.has('mount')
    return done ? [201, { location: '/blob' }] : [202, { location: `${pathname}1?state=x` }]
  }
  if (method === 'PUT') return [201, searchParams.has('tag') ? { 'oci-tag': 'by-parameter' } : {}]
  if (method === 'DELETE') return [202]
  return [url.includes('/blobs/sha256:') ? 206 : 200]
}

type Exception = (sent: Sent) => Reply | undefined

interface Setting {
  readonly exception?: Exception
  readonly target?: Partial<RegistryTarget>
  readonly access?: RegistryAccess
  readonly readOnly?: boolean
  readonly wanted?: (need: Need) => boolean
}

async function probed(setting: Setting = {}) {
  const {
    exception,
    target = {},
    access = { scheme: 'open' },
    readOnly = false,
    wanted = () => true,
  } = setting
  const { http, sent } = fakeHttp((one) => exception?.(one) ?? generous(one))
  const capabilities = await probeRegistry({
    ...{
      http,
      access,
      readOnly,
      wanted,
      redactor: createRedactor(),
      namespace: 'assay/r1',
      repository: 'assay/r1/probe',
    },
    target: { url: base, ...target },
  })
  return { capabilities, sent }
}

/** Answers requests of a method to paths that match. */
const on =
  (method: string, path: RegExp, reply: Reply): Exception =>
  (sent) =>
    sent.method === method && path.test(sent.url) ? reply : undefined

test('what a registry does is offered, with what it answered', async () => {
  const { capabilities } = await probed()
  const sentences = Object.fromEntries(
    Object.entries(capabilities).map(([need, { offered, reason }]) => [
      need,
      offered ? reason : `no: ${reason}`,
    ]),
  )
  expect(sentences).toEqual({
    auth: 'no: an anonymous GET /v2/ answered 200',
    private:
      'no: an anonymous GET of manifests/latest in assay/r1/probe answered 200; an anonymous GET of tags/list in assay/r1/probe answered 200',
    catalog: 'GET /v2/_catalog answered 200',
    push: 'asked for; --read-only switches it off',
    'single-post': 'POST with a digest answered 201',
    mount: 'a mount answered 201',
    cancel: 'DELETE of an upload answered 202',
    range: 'GET with Range answered 206',
    sha512: 'GET under sha512 answered 200',
    referrers: 'GET of referrers answered 200',
    'tag-param': 'PUT by digest with tag= answered 201 with OCI-Tag: by-parameter',
    'delete.tag': 'DELETE of a tag answered 202',
    'delete.manifest': 'DELETE of a manifest answered 202',
    'delete.blob': 'DELETE of a blob answered 202',
  })
})

test.each<[need: Need, reason: string, exception: Exception]>([
  ['catalog', 'GET /v2/_catalog answered 404', on('GET', /_catalog$/, [404])],
  ['single-post', 'POST with a digest answered 202', on('POST', /\?digest=/, [202, { location: '/x' }])],
  ['mount', 'a mount answered 202', on('POST', /mount=/, [202, { location: '/x' }])],
  ['cancel', 'DELETE of an upload answered 405', on('DELETE', /uploads/, [405])],
  ['range', 'GET with Range answered 200', (sent) => (sent.headers['range'] ? [200] : undefined)],
  ['sha512', 'a push under sha512 answered 400', on('PUT', /sha512/, [400])],
  ['sha512', 'GET under sha512 answered 404', on('GET', /sha512/, [404])],
  ['referrers', 'GET of referrers answered 404', on('GET', /referrers/, [404])],
  ['tag-param', 'PUT by digest with tag= answered 201 without OCI-Tag', on('PUT', /tag=/, [201])],
  [
    'tag-param',
    'PUT by digest with tag= answered 400 with OCI-Tag: a',
    on('PUT', /tag=/, [400, { 'oci-tag': 'a' }]),
  ],
  ['delete.tag', 'DELETE of a tag answered 405', on('DELETE', /manifests\/to-delete/, [405])],
  ['delete.manifest', 'DELETE of a manifest answered 405', on('DELETE', /manifests\/sha256:/, [405])],
  ['delete.blob', 'DELETE of a blob answered 405', on('DELETE', /blobs\/sha256:/, [405])],
  ['cancel', 'starting an upload answered 500', on('POST', /uploads\/$/, [500])],
  ['cancel', 'starting an upload answered 200', on('POST', /uploads\/$/, [200, { location: '/x' }])],
  ['cancel', 'starting an upload answered 202', on('POST', /uploads\/$/, [202])],
  ['cancel', 'the Location http:// is no URL', on('POST', /uploads\/$/, [202, { location: 'http://' }])],
  ['range', 'pushing a blob answered 500', on('PUT', /uploads/, [500])],
  ['delete.tag', 'pushing a manifest answered 500', on('PUT', /manifests\/to-delete/, [500])],
])('%s is absent where %s', async (need, reason, exception) => {
  const { capabilities } = await probed({ exception })
  expect(capabilities[need]).toEqual({ offered: false, cause: 'capability-absent', reason })
})

test('204 is an answer to a cancelled upload', async () => {
  const { capabilities } = await probed({ exception: on('DELETE', /uploads/, [204]) })
  expect(capabilities.cancel?.offered).toBe(true)
})

test('a registry that claims a subject has the referrers API, whatever it answers there', async () => {
  let claimed: unknown
  const { capabilities } = await probed({
    exception: (sent) => {
      if (sent.url.includes('/referrers/')) return [500]
      if (!sent.url.endsWith('/manifests/with-subject')) return undefined
      claimed = JSON.parse(sent.body).subject
      return [201, { 'oci-subject': 'x' }]
    },
  })
  expect(capabilities.referrers).toEqual({
    offered: true,
    reason: 'GET of referrers answered 500, yet a push was answered with OCI-Subject',
  })
  expect(claimed).toMatchObject({ digest: expect.stringMatching(/^sha256:/), size: expect.any(Number) })
})

test('a target that breaks down does not offer the thing, and a defect of ours is not hidden', async () => {
  const breaking = (error: Error): Exception => {
    return ({ url }) => {
      if (url.endsWith('/_catalog')) throw error
      return undefined
    }
  }
  const { capabilities } = await probed({ exception: breaking(new TargetFailure('connection reset')) })
  expect(capabilities.catalog).toEqual({
    offered: false,
    cause: 'capability-absent',
    reason: 'connection reset',
  })
  await expect(probed({ exception: breaking(new TypeError('ours')) })).rejects.toThrow('ours')
})

describe('authentication', () => {
  const refused = on('GET', /\/v2\/$/, [401])
  const owner = { username: 'o', password: 'p' }

  test.each<[string, Setting, boolean, string]>([
    [
      'a refusal',
      { exception: refused, access: { scheme: 'basic' } },
      true,
      'an anonymous GET /v2/ answered 401 (basic)',
    ],
    [
      'accounts',
      { target: { accounts: { owner } }, access: { scheme: 'basic' } },
      true,
      'accounts are configured',
    ],
    ['a token', { target: { token: 't' } }, true, 'accounts are configured'],
    ['neither', {}, false, 'an anonymous GET /v2/ answered 200'],
  ])('is known by %s', async (_, setting, offered, reason) => {
    expect((await probed(setting)).capabilities.auth).toMatchObject({ offered, reason })
  })

  test('repositories are private where one door is closed, or a stranger is named', async () => {
    const closed = on('GET', /tags\/list$/, [403])
    expect((await probed({ exception: closed })).capabilities.private).toEqual({
      offered: true,
      reason: 'an anonymous GET of tags/list in assay/r1/probe answered 403',
    })
    const first = await probed({ exception: on('GET', /manifests\/latest$/, [401]) })
    expect(first.capabilities.private).toEqual({
      offered: true,
      reason: 'an anonymous GET of manifests/latest in assay/r1/probe answered 401',
    })
    const named = await probed({ target: { accounts: { stranger: owner } } })
    expect(named.capabilities.private?.reason).toContain('accounts.stranger')
  })
})

test('a read-only probe writes nothing, and says why nothing is known', async () => {
  const { capabilities, sent } = await probed({ readOnly: true })
  expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']))
  expect(capabilities.push).toEqual({
    offered: false,
    cause: 'not-configured',
    reason: 'the run is read-only',
  })
  expect(capabilities['delete.blob']).toEqual(capabilities.push)
  expect(capabilities.catalog?.offered).toBe(true)
})

test('what nobody wants is not looked for', async () => {
  const { capabilities, sent } = await probed({ wanted: (need) => need === 'mount' })
  expect(Object.keys(capabilities).sort()).toEqual(['mount', 'push'])
  expect(sent.filter(({ url }) => url.includes('/referrers/'))).toEqual([])
})

test('every byte that is pushed has the digest that it is pushed under', async () => {
  const { sent } = await probed()
  const pushes = sent.flatMap(({ method, url, options }) => {
    const digest = new URL(url).searchParams.get('digest')
    return digest && method !== 'GET' ? [{ digest, body: options.body }] : []
  })
  expect(pushes.length).toBeGreaterThan(5)
  for (const { digest, body } of pushes) {
    const [algorithm = ''] = digest.split(':')
    const bytes = Buffer.from(body as Uint8Array)
    expect(digest).toBe(`${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`)
  }
})
