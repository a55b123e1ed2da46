import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedNode, serveNode } from '../served-node.contract.ts'

let served: ServedNode
beforeAll(async () => {
  served = await serveNode()
})
afterAll(() => served[Symbol.asyncDispose]())

const hello = { Hash: 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD', Size: '19' }

/** Sends a body as it is and returns all that came back, trailers too. */
function send(
  path: string,
  body: string,
): Promise<{ status: number | undefined; body: string; trailers: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
    request(`${served.rpc}/${path}`, { method: 'POST', headers }, (response) => {
      text(response).then(
        (content) => resolve({ status: response.statusCode, body: content, trailers: response.trailers }),
        reject,
      )
    })
      .once('error', reject)
      .end(body)
  })
}

const part = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}\r\n`

test('makes a tree of paths, children before their directory', async () => {
  const body = `${part('a/b/c.txt', 'hello world')}${part('a/x.txt', 'hello world')}${part('z.txt', 'hello world')}--b--`
  expect((await send('add', body)).body).toBe(
    [
      { Name: 'a/b/c.txt', ...hello },
      { Name: 'a/x.txt', ...hello },
      { Name: 'a/b', Hash: 'QmP4xKc9URC6ZhiVQcMuEm7er2PsUWP7NRC15sgTLFp3nS', Size: '70' },
      { Name: 'a', Hash: 'QmSzjsnQQCRrqseFAobs7CgzEWuFwhuX7ov5VoZ5pd717X', Size: '183' },
      { Name: 'z.txt', ...hello },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  )
})

test.for([
  ['wrap-with-directory=true', '', 'QmXXrjdh9bdM6UrYoecSW6xDztjY9gWRHKc7AkMGspopFA', '111'],
  ['mode=420&wrap-with-directory=true', 'x', 'QmPYSmsNgbiFUyfmBvtB17Vrok2oJrwBqxpoH7g9HpdWHs', '72'],
  ['mode=420&mtime=1700000000&mtime-nsecs=7', 'x', 'QmRywyCgc5yF95m1oufCK17nx7AZ5xxQdZnLAsiG4AeDvs', '35'],
  ['inline=true', 'x', 'bafyaaeykceeaeeqlnbswy3dpeb3w64tmmqmaw', '19'],
  ['inline=true&cid-version=1', 'x', 'bafkqac3imvwgy3zao5xxe3de', '11'],
  ['hash=sha3-256', 'x', 'bafkrmidejpgh4vsdomcatgnkzcphmixtzjy7xiozol6zjiy4hp57etrzha', '11'],
  ['hash=blake2b-256', 'x', 'bafk2bzaceaswza5ss4iu2ia3galz6pyo6dfm5f4dmiw2lf2de22dmf4k533ba', '11'],
  ['cid-base=base58btc&cid-version=1', 'x', 'zb2rhj7crUKTQYRGCRATFaQ6YFLTde2YzdqbbhAASkL9uRDXn', '11'],
  ['chunker=size-2&max-file-links=0', 'x', 'Qmf3zvtZiX9HmoM1hM9p9ZbM9ZfUDQ9zhe3LFLyERaA8ea', '329'],
] as const)('computes the root that Kubo does: %s', async ([query, name, hash, size]) => {
  const { body } = await send(`add?${query}`, `${part(name, 'hello world')}--b--`)
  expect(JSON.parse(body.trim().split('\n').at(-1) ?? '')).toMatchObject({ Hash: hash, Size: size })
})

test.for([
  ['../../etc/passwd', 'etc/passwd'],
  ['/a/b.txt', 'a/b.txt'],
  ['a+b%2B.txt', 'a b+.txt'],
  ['50%.txt', '50%.txt'],
] as const)('cleans the name %s', async ([given, name]) => {
  const { body } = await send('add?only-hash=true', `${part(given, 'x')}--b--`)
  expect(JSON.parse(body.split('\n')[0] ?? '')).toMatchObject({ Name: name })
})

test.for([
  ['no parts', '--b--\r\n', 'expected a file argument'],
  ['no multipart at all', 'xx', 'multipart: NextPart: EOF'],
  ['parts without a disposition', '--b\r\n\r\nabc\r\n--b--', 'expected a file argument'],
] as const)('refuses a body with %s', async ([, body, message]) => {
  const answer = await send('add', body)
  expect(answer.status).toBe(500)
  expect(JSON.parse(answer.body)).toMatchObject({ Message: message })
})

test('tells of a body that was cut in the trailer, behind what it could add', async () => {
  const body = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc'
  const answer = await send('add', body)
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.body)).toMatchObject({
    Hash: 'QmQpeUrxtQE5N2SVog1ZCxd7c7RN4fBNQu5aLwkk5RY9ER',
    Size: '11',
  })
  expect(answer.trailers).toEqual({ 'x-stream-error': 'multipart: NextPart: EOF' })
})

test('says only once that a name is taken in a directory', async () => {
  const body = `${part('x', '1')}${part('x', '2')}--b--`
  const answer = await send('add?wrap-with-directory=true', body)
  expect(answer.body.trim().split('\n')).toHaveLength(1)
  expect(answer.trailers).toEqual({ 'x-stream-error': 'directory already has entry by that name' })
})

test('shows progress in steps of a chunk, and nothing when silent', async () => {
  const body = `${part('x', 'a'.repeat(600_000))}--b--`
  const lines = (await send('add?progress=true', body)).body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.slice(0, -1).at(-1)).toEqual({ Name: 'x', Bytes: 600_000 })
  expect(lines.slice(0, -1).length).toBeGreaterThan(1)
  expect((await send('add?silent=true', body)).body).toBe('')
})

test('stores nothing when it only hashes', async () => {
  const { body } = await send('add?only-hash=true', `${part('x', 'never stored')}--b--`)
  const { Hash } = JSON.parse(body)
  expect((await served.post(`block/stat?arg=${Hash}`)).status).toBe(500)
})
