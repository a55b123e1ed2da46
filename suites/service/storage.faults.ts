import type { Fault } from '../../harness/fault.ts'
import { answering, rewriting, to, withBody } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import type { Handler } from '../../mocks/handler.ts'

const cat = to('*', /\/api\/v0\/cat$/)
const pinAdd = to('*', /\/api\/v0\/pin\/add$/)

const failing = () =>
  Response.json({ Message: 'the node is out of order', Code: 0, Type: 'error' }, { status: 500 })

/** Ends the connection without an answer; a caller in the same process sees the error itself. */
const hangingUp =
  (when: (request: Request) => boolean) =>
  (next: Handler): Handler =>
  (request, context) => {
    if (!when(request)) return next(request, context)
    context.res?.destroy()
    throw new Error('the storage node hung up')
  }

const lastByteWrong = (body: Uint8Array<ArrayBuffer>) => {
  const wrong = body.slice()
  wrong[wrong.length - 1] = (wrong.at(-1) ?? 0) ^ 1
  return wrong
}

/** What a storage node can do to a registry; requirements on both also switch these on for one content. */
export const faults: readonly Fault<Seams>[] = [
  {
    id: 'storage.cat.last-byte-wrong',
    what: 'cat gives content with one bit of its last byte turned over',
    kind: 'corruption',
    breaks: [
      'storage.cat',
      'storage.cat.every-size',
      'storage.cat.concurrent',
      'storage.add.binary-safe',
      'storage.add.cid-version',
      'storage.gateway.same-as-cat',
    ],
    client: 'compares the digest of what it reads before it passes the end on',
    seams: { storage: rewriting(cat, (response) => withBody(response, lastByteWrong)) },
  },
  {
    id: 'storage.cat.last-byte-missing',
    what: 'cat leaves the last byte out and ends as if all were there',
    kind: 'corruption',
    breaks: ['storage.cat', 'storage.cat.length-true'],
    client: 'compares the length of what it reads with the length that it knows',
    seams: { storage: rewriting(cat, (response) => withBody(response, (body) => body.slice(0, -1))) },
  },
  {
    id: 'storage.cat.fails',
    what: 'cat answers 500',
    kind: 'interoperability',
    breaks: ['storage.cat'],
    client: 'answers 5xx itself, and does not say that the content is unknown',
    seams: { storage: answering(cat, failing) },
  },
  {
    id: 'storage.cat.hangs-up',
    what: 'cat closes the connection without an answer',
    kind: 'interoperability',
    breaks: ['storage.cat'],
    client: 'answers 5xx itself, and does not say that the content is unknown',
    seams: { storage: hangingUp(cat) },
  },
  {
    id: 'storage.pin.add.fails',
    what: 'pin/add answers 500 and pins nothing',
    kind: 'corruption',
    breaks: ['storage.pin.add', 'storage.pin.repeat', 'storage.pin.concurrent'],
    client: 'acknowledges nothing that is not pinned',
    seams: { storage: answering(pinAdd, failing) },
  },
  {
    id: 'storage.pin.add.hangs-up',
    what: 'pin/add closes the connection without an answer, and pins nothing',
    kind: 'corruption',
    breaks: ['storage.pin.add'],
    client: 'acknowledges nothing that is not pinned',
    seams: { storage: hangingUp(pinAdd) },
  },
]
