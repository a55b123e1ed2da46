import { faultKinds } from '../../../harness/fault-kinds.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { intercepting, misreading, rpc } from '../seams.faults.ts'

const { interoperability, corruption } = faultKinds<Seams>()
const noFile = ['storage.add.no-file']

/** What add tells of content of zero bytes. */
const nothingAdded = () =>
  Response.json({ Name: '', Hash: 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH', Size: '6' })

const typeOf = ({ headers }: Request) => headers.get('content-type') ?? ''

export const faults = [
  interoperability('storage.add.no-body', 'add without a body stores nothing, with a CID', noFile, {
    storage: intercepting((head, request) => head === '' && typeOf(request) === '', nothingAdded),
  }),
  corruption(
    'storage.add.bare-bytes',
    'bytes without a form are acknowledged and lost',
    noFile,
    { storage: intercepting((_, request) => typeOf(request).includes('octet-stream'), nothingAdded) },
    'sends a form, and reads back what it must not lose',
  ),
  interoperability('storage.add.no-parts', 'a form without parts is content of zero bytes', noFile, {
    storage: intercepting((head) => /^--\S+--\r\n$/.test(head), nothingAdded),
  }),
  corruption(
    'storage.add.cut-form',
    'the end of the connection is taken for the end of the form',
    ['storage.add.truncated'],
    {
      storage: misreading(rpc.add, (body, request) => {
        const boundary = /boundary=(\S+)/.exec(typeOf(request))?.[1] ?? ''
        const closing = `\r\n--${boundary}--\r\n`
        return body.includes(closing) ? body : Buffer.concat([body, Buffer.from(closing)])
      }),
    },
    'computes the CID of what it sent, and compares',
  ),
]
