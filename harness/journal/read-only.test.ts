import { expect, test } from 'vitest'
import { WriteRefused } from '../errors.ts'
import { refusingWrites } from './read-only.ts'

const targets = {
  registry: { url: 'http://r.example', instances: ['http://r2.example'] },
  storage: { url: 'http://s.example' },
  graphql: { url: 'http://g.example/graphql' },
}
const observer = refusingWrites(targets)
const sending = (method: string, url: string, body = '') =>
  observer.sending({ method, url, headers: [], body: Buffer.from(body) })

test.for([
  ['PUT', 'http://r.example/v2/a/manifests/t'],
  ['POST', 'http://r2.example/v2/a/blobs/uploads/'],
  ['DELETE', 'http://r.example/v2/a/blobs/sha256:0'],
  ['POST', 'http://s.example/api/v0/add'],
  ['POST', 'http://s.example/api/v0/pin/rm?arg=x'],
  ['POST', 'http://s.example/api/v0/repo/gc'],
  ['POST', 'http://g.example/graphql', '{"query":"mutation { deleteProject(id: 1) }"}'],
  ['GET', 'http://g.example/graphql?query=mutation%20%7B%20x%20%7D'],
])('%s %s is refused', ([method = '', url = '', body]) => {
  expect(() => sending(method, url, body)).toThrow(WriteRefused)
})

test.for([
  ['GET', 'http://r.example/v2/a/manifests/t'],
  ['POST', 'http://r.example/token'],
  ['POST', 'http://s.example/api/v0/cat?arg=x'],
  ['POST', 'http://s.example/api/v0/add?only-hash=true'],
  ['POST', 'http://g.example/graphql', '{"query":"{ projects { data { id } } }"}'],
])('%s %s goes out', ([method = '', url = '', body]) => {
  expect(sending(method, url, body)).toBeUndefined()
})
