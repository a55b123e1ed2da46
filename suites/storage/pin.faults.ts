import { setTimeout } from 'node:timers/promises'
import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, to } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import {
  argOf,
  changing,
  excusing,
  failure,
  fromTheNth,
  misasked,
  pinned,
  queryOf,
  restatus,
  rpc,
  type Seam,
  sometimes,
  telling,
} from './seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()
const { add, pinAdd, pinLs, pinRm } = rpc

const ls = ['storage.pin.ls']
const rm = ['storage.pin.rm']
const listsPins = 'asks pin/ls, and pins again'
const isPin = to('*', pinAdd)
const again = failure(500, 'already pinned')

/** What is refused is reported as pinned. */
const claimed = (when: (arg: string | null) => boolean) =>
  excusing(
    pinAdd,
    (_, request) => pinned(request),
    (request) => when(queryOf(request).get('arg')),
  )

/** Refuses a pin from the n-th request for a CID on. */
const refusedFrom = (n: number): Seams => ({
  storage: sometimes(
    fromTheNth(n, pinAdd, argOf),
    answering(isPin, () => again.clone()),
  ),
})

/** A pin takes a while, and others are refused meanwhile. */
const locked: Seam = (next) => {
  let underWay = 0
  return async (request, context) => {
    if (!isPin(request)) return next(request, context)
    if (underWay > 0) return failure(500, 'the pin set is locked')
    underWay += 1
    try {
      await setTimeout(100)
      return await next(request, context)
    } finally {
      underWay -= 1
    }
  }
}

/** Lists some other pins than there are. */
const listing = (change: (keys: Record<string, unknown>, arg: string) => Record<string, unknown>) =>
  telling(pinLs, (line, request) => ({ Keys: change({ ...Object(line['Keys']) }, argOf(request)) }))

export const faults = [
  interoperability(
    'storage.pin.add.status-201',
    'pin/add answers 201',
    ['storage.pin.add', 'storage.pin.add.shape', 'storage.pin.repeat', 'storage.pin.concurrent'],
    { storage: restatus(pinAdd, 201) },
  ),
  corruption(
    'storage.pin.add.not-kept',
    'pin/add says that it has pinned, and has not',
    [
      'storage.pin',
      'storage.pin.protects-all-blocks',
      'storage.pin.shared-blocks',
      'storage.pin.ls',
      'storage.pushed-blob-pinned',
    ],
    { storage: answering(isPin, pinned) },
    listsPins,
  ),
  corruption(
    'storage.pin.add.small-only',
    'content of several blocks is reported as pinned, and is not',
    ['storage.pin.protects-all-blocks', 'storage.pushed-blob-pinned'],
    {
      storage: (next) => {
        const large = new Set<string>()
        const adding = changing(add, async (response) => {
          const text = await response.text()
          const { Hash, Size } = JSON.parse(text)
          if (Number(Size) > 270_000) large.add(Hash)
          return new Response(text, { headers: { 'content-type': 'application/json' } })
        })(next)
        return answering((request) => isPin(request) && large.has(argOf(request)), pinned)(adding)
      },
    },
    listsPins,
  ),
  corruption(
    'storage.pin.add.direct',
    'a pin is not recursive',
    ['storage.pin.protects-all-blocks', 'storage.pin.ls'],
    { storage: misasked(pinAdd, (query) => query.set('recursive', 'false')) },
    listsPins,
  ),
  interoperability('storage.pin.add.silent', 'pin/add answers an empty object', ['storage.pin.add.shape'], {
    storage: telling(pinAdd, () => ({})),
  }),
  interoperability('storage.pin.add.not-named', 'Pins is empty', ['storage.pin.add.shape'], {
    storage: telling(pinAdd, () => ({ Pins: [] })),
  }),
  interoperability('storage.pin.add.string', 'Pins is a string', ['storage.pin.add.shape'], {
    storage: telling(pinAdd, (_, request) => ({ Pins: argOf(request) })),
  }),
  interoperability(
    'storage.pin.add.other-spelling',
    'pin/add names another version of the CID',
    ['storage.pin.add.shape'],
    { storage: misasked(pinAdd, (query) => query.set('cid-base', 'base32')) },
    'compares the multihash',
  ),
  interoperability(
    'storage.pin.add.twice-refused',
    'what is pinned cannot be pinned again',
    ['storage.pin.repeat', 'storage.pin.concurrent'],
    refusedFrom(2),
    'asks pin/ls before it gives up',
  ),
  interoperability(
    'storage.pin.add.thrice-refused',
    'the third pin of a CID is refused',
    ['storage.pin.repeat'],
    refusedFrom(3),
    'asks pin/ls before it gives up',
  ),
  interoperability(
    'storage.pin.add.locked',
    'a pin is refused while another is made',
    ['storage.pin.concurrent'],
    { storage: locked },
    'tries again',
  ),
  corruption(
    'storage.pin.add.unknown-done',
    'pin/add reports what the node does not have as pinned',
    ['storage.pin.unknown'],
    { storage: claimed((arg) => arg !== 'notacid' && arg !== '') },
    'reads back what it must not lose',
  ),
  interoperability(
    'storage.pin.add.invalid-done',
    'pin/add reports what is no CID as pinned',
    ['storage.pin.invalid-cid'],
    { storage: claimed((arg) => arg === 'notacid') },
  ),
  interoperability(
    'storage.pin.add.empty-done',
    'pin/add of an empty argument succeeds',
    ['storage.pin.invalid-cid'],
    { storage: claimed((arg) => arg === '') },
  ),
  interoperability(
    'storage.pin.add.nothing-done',
    'pin/add without an argument succeeds',
    ['storage.pin.invalid-cid'],
    { storage: claimed((arg) => arg === null) },
  ),
  corruption(
    'storage.pin.ls.lists-all',
    'pin/ls lists everything that the node has',
    ls,
    {
      storage: (next) => {
        const known: Record<string, unknown> = {}
        const adding = changing(add, async (response) => {
          const text = await response.text()
          known[JSON.parse(text).Hash] = { Type: 'recursive', Name: '' }
          return new Response(text, { headers: { 'content-type': 'application/json' } })
        })(next)
        return listing((keys) => ({ ...keys, ...known }))(adding)
      },
    },
    'asks for one CID at a time',
  ),
  corruption(
    'storage.pin.ls.claims-all',
    'pin/ls of a CID says that it is pinned, whether it is or not',
    ls,
    {
      storage: excusing(pinLs, (_, request) =>
        Response.json({ Keys: { [argOf(request)]: { Type: 'recursive', Name: '' } } }),
      ),
    },
  ),
  interoperability('storage.pin.ls.type', 'pin/ls calls a recursive pin direct', ls, {
    storage: listing((keys) =>
      Object.fromEntries(Object.keys(keys).map((cid) => [cid, { Type: 'direct', Name: '' }])),
    ),
  }),
  interoperability('storage.pin.ls.other-spelling', 'pin/ls lists CIDs of version 1', ls, {
    storage: misasked(pinLs, (query) => query.set('cid-base', 'base32')),
  }),
  corruption(
    'storage.pin.rm.keeps',
    'pin/rm says that it has removed the pin, and has not',
    rm,
    { storage: answering(to('*', pinRm), pinned) },
    listsPins,
  ),
  corruption(
    'storage.pin.rm.forgets-alone',
    'pin/rm tells its next caller that there is no pin, and keeps it',
    rm,
    {
      storage: (next) => {
        const again = fromTheNth(2, pinRm, argOf)()
        return answering(to('*', pinRm), (request) =>
          again(request) ? failure(500, 'not pinned or pinned indirectly') : pinned(request),
        )(next)
      },
    },
    listsPins,
  ),
  interoperability('storage.pin.rm.again', 'pin/rm of what is not pinned succeeds', rm, {
    storage: excusing(pinRm, (_, request) => pinned(request)),
  }),
]
