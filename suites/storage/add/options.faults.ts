import { faultKinds } from '../../../harness/fault-kinds.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { addingWith, misasked, rpc } from '../seams.faults.ts'

const { interoperability, corruption } = faultKinds<Seams>()
const { add } = rpc

const reference = ['storage.add.reference-cid']
const keepsCid = 'keeps the CID that it was told, and computes none itself'

/** Changes the options where the client asks for one of them. */
const asked = (name: string, change: (query: URLSearchParams) => void) =>
  misasked(add, (query) => {
    if (query.has(name)) change(query)
  })

export const faults = [
  interoperability(
    'storage.add.version-1',
    'the default is CIDv1, with raw leaves',
    reference,
    { storage: addingWith({ 'cid-version': '1' }) },
    keepsCid,
  ),
  interoperability(
    'storage.add.raw-leaves',
    'the default is raw leaves',
    reference,
    { storage: addingWith({ 'raw-leaves': 'true' }) },
    keepsCid,
  ),
  interoperability(
    'storage.add.large-blocks',
    'the default is blocks of 1 MiB',
    reference,
    { storage: addingWith({ chunker: 'size-1048576' }) },
    keepsCid,
  ),
  interoperability(
    'storage.add.block-size-off',
    'blocks are one byte too small',
    reference,
    { storage: addingWith({ chunker: 'size-262143' }) },
    keepsCid,
  ),
  interoperability(
    'storage.add.wide-nodes',
    'a node has up to 1024 links, which shows above 45 MB only',
    reference,
    { storage: addingWith({ 'max-file-links': '1024' }) },
    keepsCid,
  ),
  interoperability(
    'storage.add.other-hash',
    'CIDs are made with another hash function',
    reference,
    { storage: addingWith({ hash: 'blake2b-256' }) },
    keepsCid,
  ),
  interoperability(
    'storage.add.mode-in-cid',
    'the permissions of the file go into the CID',
    reference,
    { storage: addingWith({ mode: '0644' }) },
    keepsCid,
  ),
  interoperability('storage.add.cid-version.base58', 'a CIDv1 comes in base58', ['storage.add.cid-version'], {
    storage: asked('cid-version', (query) => query.set('cid-base', 'base58btc')),
  }),
  interoperability(
    'storage.add.cid-version.other-hash',
    'a CIDv1 is made with another hash function',
    ['storage.add.cid-version'],
    { storage: asked('cid-version', (query) => query.set('hash', 'blake2b-256')) },
  ),
  corruption('storage.add.only-hash.stores', 'only-hash stores the content', ['storage.add.only-hash'], {
    storage: asked('only-hash', (query) => query.delete('only-hash')),
  }),
  interoperability(
    'storage.add.only-hash.otherwise',
    'only-hash computes the CID of larger blocks',
    ['storage.add.only-hash'],
    { storage: asked('only-hash', (query) => query.set('chunker', 'size-1048576')) },
    'takes the CID of the add itself',
  ),
]
