/** A sharded directory that Kubo 0.42.0 made (fanout 8, empty files file-0 to file-23), as a CAR of it, gzipped. */
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedNode, serveNode } from '../served-node.contract.ts'

const root = 'bafybeidht6oc4mkr7wirnbjsonppsij6qkd3c4ykmteonzkl5yu3upi7xy'
const car = [
  'H4sIAAAAAAACA7NalFqUn19S3HhDK0KVgbFASCF9/hw9w8C/E8VajYrjfiraNbVvLOZKOfHsqfc7zV228vvSy1KLijPz8xgX',
  'MxOjXEibSwWkrl46JvVF6ufnassVL4oJbU75+ob5S2hPiq2LM6//5uN9WUKMBhLFQjoQxenGW/LnZOSrz34y69cL65X226x5',
  'V/7Rl9/JqHNNbRXX2ndCjIYSNxlhqv9+n53YHvvjic/SqsryKYsZXnue1pHrm2NzpHzVsQbe0M1CjEYSy+CqIx5ta403Kcp7',
  '+P6IAVvP7/JP86/MPMWstcVbluHwYbsfD4QYjZFU7419v2pd6JGkB/FF3M5BM64sX/H74GUflfDY//pfHylfbRViNJE4wgRT',
  '/TBLuqVNzZJLLvZ12v8tl3gCK14zLHYVihSUEdqTNsdvghCjqcQquNm7bgg0u+77K3MgR2pu4q9Xv3/Pl+zUeZv2cKnGcvlF',
  'Noa1QoxmErcYhQy5VBhDhRQebzjiNOOPjMis319OzMzfqaK+zvFJyuzJPkumzpSuCNoRKsRunpaZk6prJsHAxcnBKsT4X0PJ',
  'gGM6I1GBb0SkHRwmYDsMTSQYiNdjBtFjAXNYAMhhROn9y0hUaiDaJQYQlxhLMBAfqkZgPaakaDEGazEiJYwg4WpkBAsjWVAY',
  'nWIkKnmT6n1DUvxiCNFDil8gIWZoCvMLO8IvBDMf0ZZA3GVEksNMIQ4zIsX/kExlCfPLIpBfvjMSVTSQGi/mpPgFksYMLUnx',
  'CySRgfIutFC+Y8/x64ZS62Kevx5XF0f/Td9uWFI/O/WGxyrRi2uaVAIFhRjNJQohHp8J8vhURqJ0kZi4LEjxAyQODWDxoQRy',
  'VgxRZS/UzxYl/9XlJlzbL6H48XEbQ5ncv8ceX0Xc1jvG2F43Xx3AOw1UWxRBDGcBGT6NkShdJCZCI2PSE6E5zNMLQO76x0hU',
  'HUJiOWdMeho0MiCjMiBJD8T7hvCa7QzI/wBG/KhvuggAAA==',
].join('')

let served: ServedNode
beforeAll(async () => {
  served = await serveNode()
  const body = new FormData()
  body.append('file', new Blob([gunzipSync(Buffer.from(car, 'base64'))]))
  const imported = await (await served.post('dag/import', { body })).json()
  expect(imported).toEqual({ Root: { Cid: { '/': root }, PinErrorMsg: '' } })
})
afterAll(() => served[Symbol.asyncDispose]())

const names = Array.from({ length: 24 }, (_, index) => `file-${index}`)

test('finds every name by its hash', async () => {
  for (const name of names) expect((await served.post(`cat?arg=${root}/${name}`)).status).toBe(200)
  const missing = await served.post(`cat?arg=${root}/file-24`)
  expect((await missing.json()).Message).toBe(`no link named "file-24" under ${root}`)
})

test('lists all entries under their own names', async () => {
  const listed = await (await served.post(`ls?arg=${root}`)).json()
  expect(listed.Objects[0].Links.map((link: { Name: string }) => link.Name)).toEqual([...names].sort())
})

test.for([
  [
    'the way to one entry',
    `${root}/file-7?format=car`,
    '5b501c7d9a890948d0cf9e5bfc9de8a95d68978b3cf973d3d33d9a5907147207',
  ],
  [
    'all shards',
    `${root}?format=car&dag-scope=entity`,
    '22a25ebff52ad30f7db5680a1c717751880dbaa38208d781e43b71c1fc0ff65e',
  ],
  [
    'the proof that a name is absent',
    `${root}/nope?format=car`,
    'a51146e8b175182b9da0149e51320219a07ff003d99f05a6bd98c9b25f52f061',
  ],
] as const)('makes the CAR that Kubo makes: %s', async ([, path, sha256]) => {
  const body = Buffer.from(await (await fetch(`${served.gateway}/ipfs/${path}`)).arrayBuffer())
  expect(createHash('sha256').update(body).digest('hex')).toBe(sha256)
})
