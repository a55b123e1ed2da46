/** The answers were recorded from the gateway of Kubo 0.42.0. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedNode, serveNode } from '../served-node.contract.ts'

const hello = 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD'
const helloV1 = 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'
const absent = 'QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nm'

let served: ServedNode
let directory: string
beforeAll(async () => {
  served = await serveNode()
  await served.add({ hello: 'hello world' }, 'cid-version=1')
  const lines = await served.add({ 'site/hello.txt': 'hello world', 'site/sub/<b>.html': '<p>hi</p>' })
  directory = lines.at(-1)?.Hash ?? ''
})
afterAll(() => served[Symbol.asyncDispose]())

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${served.gateway}/ipfs/${path}`, { method, headers, redirect: 'manual' })

test('serves a file with what caches and pages need', async () => {
  const response = await get(helloV1)
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('hello world')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=29030400, immutable',
    'content-length': '11',
    'content-type': 'text/plain; charset=utf-8',
    etag: `"${helloV1}"`,
    'x-ipfs-path': `/ipfs/${helloV1}`,
    'x-ipfs-roots': helloV1,
  })
  const head = await get(helloV1, {}, 'HEAD')
  expect(head.headers.get('content-length')).toBe('11')
  expect(await head.text()).toBe('')
})

const ranges: readonly [range: string, status: number, contentRange: string | null, body: string][] = [
  ['bytes=0-3', 206, 'bytes 0-3/11', 'hell'],
  ['bytes=6-', 206, 'bytes 6-10/11', 'world'],
  ['bytes=-5', 206, 'bytes 6-10/11', 'world'],
  ['bytes=6-100', 206, 'bytes 6-10/11', 'world'],
  ['bytes=0-1,4-5', 206, 'bytes 0-1/11', 'he'],
  ['bytes=11-', 416, 'bytes */11', 'invalid range: failed to overlap\n'],
  ['bytes=5-2', 400, null, 'invalid range request: invalid range\n'],
  ['items=0-1', 400, null, 'invalid range request: invalid range\n'],
]

test.for(ranges)('answers a range: %s', async ([range, status, contentRange, body]) => {
  const response = await get(hello, { Range: range })
  expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([
    status,
    contentRange,
    body,
  ])
})

test('sends all of it when If-Range names something else', async () => {
  expect((await get(hello, { Range: 'bytes=0-3', 'If-Range': '"nope"' })).status).toBe(200)
  expect((await get(hello, { Range: 'bytes=0-3', 'If-Range': `"${hello}"` })).status).toBe(206)
})

test.for([
  [`"${hello}"`, 304],
  [`W/"${hello}"`, 304],
  [`"nope", "${hello}"`, 304],
  ['*', 304],
  ['"nope"', 200],
] as const)('judges If-None-Match: %s', async ([tag, status]) => {
  expect((await get(hello, { 'If-None-Match': tag })).status).toBe(status)
})

const failures: readonly [path: string, status: number, body: string][] = [
  ['notacid', 400, 'invalid path "/ipfs/notacid": invalid cid: selected encoding not supported\n'],
  ['', 400, 'invalid path "/ipfs/": path does not have enough components\n'],
  ['%zz', 400, 'invalid percent-encoding in the path\n'],
  [
    absent,
    404,
    `failed to resolve /ipfs/${absent}: block was not found locally (offline): ipld: could not find ${absent}: retrieval: no providers found for the CID (phase: path resolution)\n`,
  ],
  [`${hello}?format=ipns-record`, 400, 'ipns-record is a format of names, not of content\n'],
  [`${hello}?format=car&dag-scope=nope`, 400, 'unsupported application/vnd.ipld.car scope parameter\n'],
]

test.for(failures)('fails: %s', async ([path, status, body]) => {
  const response = await get(path)
  expect([response.status, await response.text()]).toEqual([status, body])
  expect(response.headers.get('cache-control')).toBeNull()
})

test('lists a directory, with names that cannot become markup', async () => {
  const moved = await get(`${directory}/sub?x=1`)
  expect([moved.status, moved.headers.get('location')]).toEqual([301, `/ipfs/${directory}/sub/?x=1`])
  const response = await get(`${directory}/sub/`)
  expect(response.headers.get('content-type')).toBe('text/html')
  expect(response.headers.get('etag')).toMatch(/^"DirIndex-/)
  const page = await response.text()
  expect(page).toContain('&lt;b&gt;.html')
  expect(page).not.toContain('<b>')
  expect(page).toContain(`<a href="/ipfs/${directory}/sub/..">..</a>`)
})

test('serves index.html in the place of a listing', async () => {
  const lines = await served.add({ 'web/index.html': '<p>home</p>' })
  const response = await get(`${lines.at(-1)?.Hash}/`)
  expect(response.headers.get('content-type')).toBe('text/html')
  expect(await response.text()).toBe('<p>home</p>')
})

test('serves the block itself to a client that verifies', async () => {
  for (const response of [
    await get(`${hello}?format=raw`),
    await get(hello, { Accept: 'application/vnd.ipld.raw' }),
  ]) {
    expect(response.headers.get('content-type')).toBe('application/vnd.ipld.raw')
    expect(response.headers.get('etag')).toBe(`"${hello}.raw"`)
    expect(response.headers.get('content-disposition')).toContain(`attachment; filename="${hello}.bin"`)
    expect((await response.arrayBuffer()).byteLength).toBe(19)
  }
})

test('proves by a CAR what is there and what is not', async () => {
  const whole = await get(`${directory}?format=car`)
  expect(whole.headers.get('content-type')).toBe('application/vnd.ipld.car; version=1; order=dfs; dups=n')
  const missing = await get(`${absent}?format=car`)
  expect([missing.status, (await missing.arrayBuffer()).byteLength]).toEqual([200, 57])
  const block = (await (await get(`${directory}?format=car&dag-scope=block`)).arrayBuffer()).byteLength
  expect((await whole.arrayBuffer()).byteLength).toBeGreaterThan(block)
})

test('takes a name for the file, and no header from it', async () => {
  const response = await get(`${hello}?filename=${encodeURIComponent('ö"\r\nX-Evil: 1.pdf')}&download=true`)
  expect(response.headers.get('x-evil')).toBeNull()
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="_%22%0D%0AX-Evil:%201.pdf"; filename*=UTF-8''%C3%B6%22%0D%0AX-Evil:%201.pdf`,
  )
  expect(response.headers.get('content-type')).toBe('application/pdf')
})

test('is there to read only', async () => {
  const refused = await get(hello, {}, 'DELETE')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect(await refused.text()).toBe('Method DELETE not allowed: read only access\n')
  expect((await get(hello, {}, 'OPTIONS')).status).toBe(200)
})

test('answers only from what is here when asked to', async () => {
  expect((await get(hello, { 'Cache-Control': 'only-if-cached' })).status).toBe(200)
  expect((await get(absent, { 'Cache-Control': 'only-if-cached' })).status).toBe(412)
})

test('lies under the prefix that it is given', async () => {
  await using other = await serveNode({ gatewayPrefix: 'content' })
  const [file] = await other.add({ a: 'hello world' })
  expect((await fetch(`${other.gateway}/content/${file?.Hash}`)).status).toBe(200)
  expect((await fetch(`${other.gateway}/ipfs/${file?.Hash}`)).status).toBe(404)
})

test('stays inside the content, whatever the path says', async () => {
  const { hostname, port } = new URL(served.gateway)
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.once('end', () => resolve(text)).once('error', reject)
    socket.write(
      `GET /ipfs/${hello}/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
  })
  expect(answer).toMatch(/^HTTP\/1.1 404 /)
  expect(answer).not.toContain('root:')
})
