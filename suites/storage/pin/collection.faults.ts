import { createHash } from 'node:crypto'
import { faultKinds } from '../../../harness/fault-kinds.ts'
import { answering, to, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import {
  altering,
  argOf,
  failure,
  fileIn,
  flipped,
  fromTheNth,
  misasked,
  notFound,
  restatus,
  rpc,
  type Seam,
  sometimes,
} from '../seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()
const { add, cat, gc, pinAdd } = rpc

const pins = ['storage.pin', 'storage.pin.protects-all-blocks', 'storage.pin.shared-blocks']
const readsBack = 'reads back what it must not lose'
const isGc = to('*', gc)

/** Pins that were made by `pin/add` are gone when garbage is collected. */
const unpinning: Seam = (next) => {
  const made = new Set<string>()
  return async (request, context) => {
    if (to('*', pinAdd)(request)) made.add(argOf(request))
    if (!isGc(request)) return next(request, context)
    for (const cid of made) {
      const url = new URL(`/api/v0/pin/rm?arg=${cid}`, request.url)
      await next(new Request(url, { method: 'POST' }), {})
    }
    made.clear()
    return next(request, context)
  }
}

/** A fault that begins with the first collection. */
const afterwards =
  (fault: Seam): Seam =>
  (next) => {
    let collected = false
    const wrong = fault(next)
    return (request, context) => {
      collected ||= isGc(request)
      return (collected ? wrong : next)(request, context)
    }
  }

/** Content whose first block was added more than once is not found after a collection. */
const sharing: Seam = (next) => {
  const byFirstBlock = new Map<string, string[]>()
  let collected = false
  return async (request, context) => {
    collected ||= isGc(request)
    const shared = () =>
      [...byFirstBlock.values()].some((cids) => cids.length > 1 && cids.includes(argOf(request)))
    if (collected && to('*', cat)(request) && shared()) return notFound(argOf(request))
    if (!to('POST', add)(request)) return next(request, context)
    const { method, headers } = request
    const body = await request.arrayBuffer()
    const first = fileIn(Buffer.from(body)).subarray(0, 262_144)
    const answer = await next(new Request(request.url, { method, headers, body }), {})
    const text = await answer.text()
    const key = createHash('sha256').update(first).digest('hex')
    byFirstBlock.set(key, [...(byFirstBlock.get(key) ?? []), /"Hash":"([^"]+)"/.exec(text)?.[1] ?? ''])
    return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } })
  }
}

/** What is under way when a collection begins is met by the fault. */
const interrupted =
  (fault: (cids: ReadonlySet<string>) => Seam): Seam =>
  (next) => {
    const hit = new Set<string>()
    const wrong = fault(hit)(next)
    let [underWay, met] = [0, false]
    return async (request, context) => {
      if (isGc(request)) met ||= underWay > 0
      if (!to('POST', add)(request)) return wrong(request, context)
      underWay += 1
      const answer = await wrong(request, context)
      const text = await answer.text()
      underWay -= 1
      if (met) hit.add(/"Hash":"([^"]+)"/.exec(text)?.[1] ?? '')
      return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } })
    }
  }

/** Changes the answers to uploads that end when a collection has run. */
const heldUp =
  (change: (answer: Response) => Response): Seam =>
  (next) => {
    let collected = false
    return async (request, context) => {
      collected ||= isGc(request)
      const answer = await next(request, context)
      return to('POST', add)(request) && collected ? change(answer) : answer
    }
  }

const isHit = (cids: ReadonlySet<string>) => (request: Request) =>
  to('*', cat)(request) && cids.has(argOf(request))
const during = ['storage.gc.during-add']

export const faults = [
  corruption(
    'storage.gc.takes-pinned',
    'a collection takes what is pinned as well',
    pins,
    { storage: unpinning },
    readsBack,
  ),
  corruption(
    'storage.gc.second-takes-pinned',
    'a pin outlives one collection and no second one',
    ['storage.pin'],
    {
      storage: sometimes(fromTheNth(2, gc), (next) => async (request, context) => {
        const list = await next(
          new Request(new URL('/api/v0/pin/ls?type=recursive', request.url), { method: 'POST' }),
          {},
        )
        const { Keys } = (await list.json()) as { readonly Keys: Readonly<Record<string, unknown>> }
        for (const cid of Object.keys(Keys)) {
          await next(new Request(new URL(`/api/v0/pin/rm?arg=${cid}`, request.url), { method: 'POST' }), {})
        }
        return next(request, context)
      }),
    },
    readsBack,
  ),
  corruption(
    'storage.gc.damages',
    'a collection that moves what stays turns one bit of it over',
    pins,
    { storage: afterwards(altering(cat, (bytes) => flipped(bytes))) },
    'computes the CID of what it read, and compares',
  ),
  corruption(
    'storage.gc.leaves-first-block',
    'after a collection only the first block of content is left, and cat ends there',
    ['storage.pin.protects-all-blocks', 'storage.pin.shared-blocks'],
    { storage: afterwards(altering(cat, (bytes) => bytes.slice(0, 262_144))) },
    'compares the length of what it reads with X-Content-Length',
  ),
  interoperability(
    'storage.gc.status-206',
    'cat answers 206 once a collection has run',
    ['storage.pin.protects-all-blocks'],
    { storage: afterwards(restatus(cat, 206)) },
  ),
  corruption(
    'storage.gc.shared-taken',
    'a collection takes blocks that pinned content shares with other content',
    ['storage.pin.shared-blocks'],
    { storage: sharing },
    readsBack,
  ),
  interoperability(
    'storage.gc.does-nothing',
    'repo/gc succeeds and collects nothing',
    ['storage.pin.collects-unpinned'],
    { storage: answering(isGc, () => new Response('')) },
  ),
  interoperability(
    'storage.add.pins-always',
    'pin=false is ignored',
    ['storage.pin.collects-unpinned', 'storage.pin.ls'],
    { storage: misasked(add, (query) => query.delete('pin')) },
    'removes pins that it did not ask for',
  ),
  corruption(
    'storage.gc.takes-uploads',
    'a collection takes content that is being added',
    during,
    { storage: interrupted((cids) => answering(isHit(cids), (request) => notFound(argOf(request)))) },
    readsBack,
  ),
  corruption(
    'storage.gc.takes-first-half',
    'a collection takes the first blocks of content that is being added',
    during,
    {
      storage: interrupted((cids) =>
        altering(cat, (bytes) => bytes.fill(0, 0, bytes.length >> 1), isHit(cids)),
      ),
    },
    'computes the CID of what it read, and compares',
  ),
  interoperability(
    'storage.gc.status-202',
    'an upload that a collection holds up is answered with 202',
    during,
    { storage: heldUp((answer) => withStatus(answer, 202)) },
  ),
  interoperability(
    'storage.gc.ends-uploads',
    'a collection makes uploads fail that are under way',
    during,
    { storage: heldUp(() => failure(500, 'the blockstore is locked')) },
    'tries again',
  ),
]
