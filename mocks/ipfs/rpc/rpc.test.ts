/** The answers were recorded from Kubo 0.42.0, started offline on an empty repository. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedNode, serveNode } from '../served-node.contract.ts'

const file = 'QmafMza76epQKEHgwNP5sJ7yKcbiFJpddrBzp9A9uTXNgp'
const directory = 'Qmc9Wk8JJBxcBiBs1Z2rCtYm31XF7ohLgGGGhRh4u5gpge'
const hello = 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD'
const absent = 'QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nm'
const notFound = `block was not found locally (offline): ipld: could not find ${absent}`
const noTime = { Target: '', Mode: 0, ModTime: '0001-01-01T00:00:00Z' }
const link = (Name: string, Hash: string, Size: number, Type: number, more = {}) => ({
  ...{ Name, Hash, Size, Type, ...noTime },
  ...more,
})
const listed = [
  link('b', 'QmP4xKc9URC6ZhiVQcMuEm7er2PsUWP7NRC15sgTLFp3nS', 0, 1),
  link('lnk', 'QmZavXWXpCvDACxSYXaJGSMGaraJWx6R9Gqnx6hY7YPBXk', 3, 4, { Target: 't/o' }),
  link('x.bin', file, 600000, 2),
]

let served: ServedNode
beforeAll(async () => {
  served = await serveNode()
  const body = new FormData()
  body.append('file', new Blob(['hello world']), 'a%2Fb%2Fc.txt')
  body.append('file', new Blob(['a'.repeat(600000)]), 'a%2Fx.bin')
  body.append('file', new Blob(['t/o'], { type: 'application/symlink' }), 'a%2Flnk')
  await served.post('add?pin=false', { body })
  await served.add({ six: 'a'.repeat(600000) })
})
afterAll(() => served[Symbol.asyncDispose]())

const failures: readonly [request: string, message: string][] = [
  ['cat?arg=', 'invalid path "": path does not have enough components'],
  ['cat?arg=notacid', 'invalid path "notacid": path does not have enough components'],
  ['cat?arg=/ipfs/notacid', 'invalid path "/ipfs/notacid": invalid cid: selected encoding not supported'],
  ['cat?arg=/foo/bar', 'invalid path "/foo/bar": unknown namespace: "foo"'],
  [`cat?arg=${absent}`, notFound],
  [`cat?arg=${absent}&timeout=1s`, notFound],
  [`cat?arg=${directory}`, 'this dag node is a directory'],
  [`cat?arg=${file}&offset=-1`, 'cannot specify negative offset'],
  [`cat?arg=${file}&length=-1`, 'cannot specify negative length'],
  [`cat?arg=/ipfs/${directory}/nope`, `no link named "nope" under ${directory}`],
  [
    `cat?arg=${directory}/b/c.txt/x`,
    'func called on wrong kind: "LookupBySegment" called on a data.Bytes node (kind: bytes), but only makes sense on map or list',
  ],
  [`pin/add?arg=${absent}`, `pin: ${notFound}`],
  [`pin/add?arg=${file}&recursive=false`, `pin: ${file} already pinned recursively`],
  [`pin/rm?arg=${file}&recursive=false`, `${file} is pinned recursively`],
  [`pin/rm?arg=${absent}`, 'not pinned or pinned indirectly'],
  [`pin/ls?arg=${absent}`, `path '${absent}' is not pinned`],
  ['pin/ls?type=bogus', "invalid type 'bogus', must be one of {direct, indirect, recursive, all}"],
  [`pin/update?arg=${directory}&arg=${file}`, "'from' cid was not recursively pinned already"],
  [`block/get?arg=${absent}`, notFound],
  [`block/stat?arg=${absent}`, notFound],
  [`dag/export?arg=${absent}`, notFound],
  [`dag/stat?arg=${absent}`, notFound],
  [`ls?arg=${absent}`, notFound],
  [`get?arg=${absent}`, notFound],
  ['files/stat?arg=x', 'paths must start with a leading slash'],
  ['files/stat?arg=/nope', 'file does not exist'],
  ['config?arg=nope.x', 'failed to get config value: "nope not found"'],
  ['id?arg=x', 'invalid peer id'],
]

test.for(failures)('fails as a command: %s', async ([request, message]) => {
  const response = await served.post(request)
  expect(response.status).toBe(500)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({ Message: message, Code: 0, Type: 'error' })
})

const refusals: readonly [request: string, status: number, text: string][] = [
  ['cat', 400, 'argument "ipfs-path" is required'],
  ['pin/update?arg=x', 400, 'argument "to-path" is required'],
  ['add', 400, "file argument 'path' is required"],
  ['block/put', 400, "file argument 'data' is required"],
  [
    `cat?arg=${hello}&offset=abc`,
    400,
    'could not convert value "abc" to type "int64" (for option "-offset")',
  ],
  [
    `pin/add?arg=${hello}&recursive=x`,
    400,
    'could not convert value "x" to type "bool" (for option "-recursive")',
  ],
  [
    `cat?arg=${hello}&length=1&length=2`,
    400,
    'expected key length to have only a single value, received [1 2]',
  ],
  [`cat?arg=${hello}&encoding=bogus`, 400, 'invalid encoding: bogus'],
  ['nosuch', 404, '404 page not found'],
  ['pin/nope', 404, '404 page not found'],
]

test.for(refusals)('refuses before a command runs: %s', async ([request, status, text]) => {
  const response = await served.post(request)
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await response.text()).toBe(`${text}\n`)
})

const values: readonly [request: string, ...lines: unknown[]][] = [
  [`block/stat?arg=${file}`, { Key: file, Size: 152 }],
  [
    `files/stat?arg=/ipfs/${file}`,
    { Hash: file, Size: 600000, CumulativeSize: 600194, Blocks: 3, Type: 'file' },
  ],
  [
    `files/stat?arg=/ipfs/${directory}`,
    { Hash: directory, Size: 0, CumulativeSize: 600414, Blocks: 3, Type: 'directory' },
  ],
  [`ls?arg=${directory}`, { Objects: [{ Hash: directory, Links: listed }] }],
  [
    `ls?arg=${directory}&stream=true`,
    ...listed.map((each) => ({ Objects: [{ Hash: directory, Links: [each] }] })),
  ],
  [
    `dag/stat?arg=${file}&arg=${directory}&progress=false`,
    {
      UniqueBlocks: 7,
      TotalSize: 338256,
      SharedSize: 338036,
      Ratio: 1.9993496,
      DagStats: [
        { Cid: file, Size: 338036, NumBlocks: 3 },
        { Cid: directory, Size: 338256, NumBlocks: 7 },
      ],
    },
  ],
  [`pin/ls?arg=${file}`, { Keys: { [file]: { Type: 'recursive', Name: '' } } }],
  ['pin/ls?type=direct', {}],
  [`pin/ls?arg=${file}&stream=true`, { Cid: file, Type: 'recursive' }],
  [`block/rm?arg=${file}`, { Hash: file, Error: 'pinned: recursive' }],
  [`block/rm?arg=${absent}`, { Hash: absent, Error: `ipld: could not find ${absent}` }],
  ['config?arg=Datastore.StorageMax', { Key: 'Datastore.StorageMax', Value: '100GB' }],
  ['repo/version', { Version: '18' }],
  [`resolve?arg=/ipfs/${directory}/b`, { Path: '/ipfs/QmP4xKc9URC6ZhiVQcMuEm7er2PsUWP7NRC15sgTLFp3nS' }],
  [`dag/resolve?arg=${directory}/b/c.txt`, { Cid: { '/': hello }, RemPath: '' }],
  [`refs?arg=${directory}`, ...listed.map(({ Hash }) => ({ Ref: Hash, Err: '' }))],
  [
    `refs?arg=${file}&recursive=true`,
    { Ref: 'Qma81h2ZqbvJW2EQkiVUZ17aSvNWqAtvUPhh8mQBPU8W7c', Err: '' },
    { Ref: 'Qma81h2ZqbvJW2EQkiVUZ17aSvNWqAtvUPhh8mQBPU8W7c', Err: '' },
    { Ref: 'QmR16tgwtvXpEFmiGcjdvWgKNPN2obJ2h8Ch37F4t7JoS3', Err: '' },
  ],
]

test.for(values)('answers with JSON lines: %s', async ([request, ...lines]) => {
  const response = await served.post(request)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  const text = await response.text()
  expect(text.endsWith('\n')).toBe(true)
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(lines)
})

test('sends slices of content with the headers of a stream', async () => {
  const response = await served.post(`cat?arg=${directory}/b/c.txt&arg=${hello}&offset=8&length=6`)
  expect(await response.text()).toBe('rldhel')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/plain',
    'x-content-length': '6',
    'x-stream-output': '1',
    'access-control-expose-headers': 'X-Stream-Output, X-Chunked-Output, X-Content-Length',
    trailer: 'X-Stream-Error',
    server: 'kubo/0.42.0',
    vary: 'Origin',
  })
})

test('exports a CAR that imports into an empty node under the same root', async () => {
  const car = Buffer.from(await (await served.post(`dag/export?arg=${directory}`)).arrayBuffer())
  await using other = await serveNode()
  const body = new FormData()
  body.append('file', new Blob([car]))
  const lines = (await (await other.post('dag/import?stats=true', { body })).text()).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { Root: { Cid: { '/': directory }, PinErrorMsg: '' } },
    { Stats: { BlockCount: 7, BlockBytesCount: 338256 } },
  ])
  expect(await (await other.post(`cat?arg=${directory}/x.bin`)).text()).toBe('a'.repeat(600000))
})

test('names blocks as block/put is told to', async () => {
  const put = async (query: string) => {
    const body = new FormData()
    body.append('data', new Blob(['hello world']))
    return (await served.post(`block/put?${query}`, { body })).json()
  }
  const named: readonly [query: string, cid: string][] = [
    ['', 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'],
    ['cid-codec=dag-pb', 'bafybeifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e'],
    ['format=v0', 'QmaozNR7DZHQK1ZcU9p7QdrshMvXqWK6gpu5rmrkPdT3L4'],
    ['mhtype=sha2-256&mhlen=20', 'bafkreffzjut3te2nhyekklss27nh3k72ysco7yy'],
  ]
  for (const [query, cid] of named) expect(await put(query)).toEqual({ Key: cid, Size: 11 })
})
