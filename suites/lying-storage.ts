import { type Content, concat, literal } from '../fixtures/content.ts'
import type { HttpClient } from '../harness/http.ts'
import { need } from './push.ts'

const boundary = 'assay-boundary-7f3a'
const before = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="blob"\r\ncontent-type: application/octet-stream\r\n\r\n`

/** The CID of some content: what the storage node names it when it is added with default options, as a registry does. */
export async function cidOf(http: HttpClient, storageUrl: string, content: Content): Promise<string> {
  const body = concat([literal(before), content, literal(`\r\n--${boundary}--\r\n`)])
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const answer = need(
    'adding',
    await http.request('POST', `${storageUrl}/api/v0/add`, { headers, body }),
    200,
  )
  return (answer.json() as { Hash: string }).Hash
}

/** A way in which the storage node of a stack can be made to lie, and about which content. */
export interface Lie {
  readonly fault: string
  readonly cid: string
}

/** Does something while the storage node lies about one content; skips where its control surface knows no such lie. */
export async function whileLying<T>(
  { http, skip }: { readonly http: HttpClient; skip(condition: boolean, note: string): void },
  control: string,
  { fault, cid }: Lie,
  work: () => Promise<T>,
): Promise<T> {
  const url = `${control.replace(/\/$/, '')}/faults/${fault}`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ match: { path: '/api/v0/cat', query: { arg: cid } } })
  const told = need('asking for the lie', await http.request('PUT', url, { headers, body }), 200, 404)
  skip(told.status === 404, `the control surface of the storage node knows no fault ${fault}`)
  try {
    return await work()
  } finally {
    await http.request('DELETE', url)
  }
}
