/** A DAG with a hole: what was recorded from Kubo 0.42.0 when a leaf in the middle was gone. */
import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedNode, serveNode } from './served-node.contract.ts'

const content = randomBytes(1_000_000)
let served: ServedNode
let root: string
let leaf: string
beforeAll(async () => {
  served = await serveNode()
  const [file] = await served.add({ large: content }, 'pin=false')
  root = file?.Hash ?? ''
  const listed = await (await served.post(`ls?arg=${root}`)).json()
  leaf = listed.Objects[0].Links[2].Hash
  expect(await (await served.post(`block/rm?arg=${leaf}`)).json()).toEqual({ Hash: leaf })
})
afterAll(() => served[Symbol.asyncDispose]())

interface Ended {
  readonly status: number | undefined
  readonly bytes: number
  readonly complete: boolean
  readonly error: string | undefined
}

function drain(response: IncomingMessage): Promise<Ended> {
  return new Promise((resolve) => {
    let bytes = 0
    let error: string | undefined
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    response.on('error', () => {})
    response.on('close', () => {
      const trailer = response.trailers['x-stream-error']
      error = Array.isArray(trailer) ? trailer[0] : trailer
      resolve({ status: response.statusCode, bytes, complete: response.complete, error })
    })
  })
}

const post = (path: string) =>
  new Promise<Ended>((resolve, reject) => {
    request(
      `${served.rpc}/${path}`,
      { method: 'POST' },
      (response) => void drain(response).then(resolve, reject),
    )
      .once('error', reject)
      .end()
  })

test('cat ends well and short, and says so in the trailer', async () => {
  expect(await post(`cat?arg=${root}`)).toEqual({
    status: 200,
    bytes: 2 * 262_144,
    complete: true,
    error: 'failed to fetch all nodes',
  })
})

test('dag/export says which block it could not find', async () => {
  const { status, complete, error } = await post(`dag/export?arg=${root}`)
  expect([status, complete]).toEqual([200, true])
  expect(error).toBe(`walk failed: block was not found locally (offline): ipld: could not find ${leaf}`)
})

test('pin/add refuses what it cannot protect', async () => {
  const response = await served.post(`pin/add?arg=${root}`)
  expect(response.status).toBe(500)
  expect((await response.json()).Message).toContain(`could not find ${leaf}`)
})

test('the gateway cuts the connection at once, so that nobody takes the part for the whole', {
  timeout: 4000,
}, async () => {
  const ended = await new Promise<Ended>((resolve, reject) => {
    get(`${served.gateway}/ipfs/${root}`, (response) => void drain(response).then(resolve, reject)).once(
      'error',
      reject,
    )
  })
  expect(ended.status).toBe(200)
  expect(ended.complete).toBe(false)
  expect(ended.bytes).toBeLessThan(content.length)
  expect((await served.post('id')).status).toBe(200)
})

test('fails the stream itself where there is no connection to cut', async () => {
  for (const response of [
    await served.node.gateway(new Request(`http://node/ipfs/${root}`), {}),
    await served.node.rpc(new Request(`http://node/api/v0/cat?arg=${root}`, { method: 'POST' }), {}),
  ]) {
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow('failed to fetch all nodes')
  }
})

test('what lies before the hole can be read', async () => {
  const response = await served.post(`cat?arg=${root}&length=300000`)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.equals(content.subarray(0, 300_000))).toBe(true)
  const ranged = await fetch(`${served.gateway}/ipfs/${root}`, { headers: { Range: 'bytes=900000-' } })
  expect(Buffer.from(await ranged.arrayBuffer()).equals(content.subarray(900_000))).toBe(true)
})
