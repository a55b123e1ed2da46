import { gunzipSync } from 'node:zlib'
import { faultKinds } from '../../../harness/fault-kinds.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { fromTheNth, misasked, refusing, rpc, type Seam, sometimes, storing } from '../seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()
const { add } = rpc

const distinct = ['storage.add.distinct']
const anyBytes = ['storage.add.binary-safe']
const severalBlocks = ['storage.add.multi-chunk']
const rehashes = 'computes the CID of what it sent, and compares'
const readsBack = 'reads back what it must not lose'

const text = (change: (text: string) => string): Seam =>
  storing((file) => Buffer.from(change(file.toString('latin1')), 'latin1'))

const withoutEnd = (file: Buffer, sign: number) => {
  let end = file.length
  while (end > 0 && file[end - 1] === sign) end -= 1
  return file.subarray(0, end)
}

function unpacked(file: Buffer): Uint8Array {
  try {
    return gunzipSync(file)
  } catch {
    return file
  }
}

function reformatted(file: Buffer): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(file.toString())))
  } catch {
    return file
  }
}

export const faults = [
  corruption(
    'storage.add.trailing-zeros-lost',
    'zeros at the end of content are not stored',
    distinct,
    { storage: storing((file) => withoutEnd(file, 0)) },
    rehashes,
  ),
  corruption(
    'storage.add.padded',
    'content is filled up with zeros to whole pages',
    distinct,
    { storage: storing((file) => Buffer.concat([file, Buffer.alloc((4096 - (file.length % 4096)) % 4096)])) },
    rehashes,
  ),
  corruption(
    'storage.add.leading-zeros-lost',
    'zeros before the content are not stored',
    distinct,
    { storage: storing((file) => (file[0] === 0 ? file.subarray(1) : file)) },
    rehashes,
  ),
  corruption(
    'storage.add.last-bit-lost',
    'the last bit of content is stored as 0',
    [...distinct, 'storage.gateway.raw.whole', 'storage.gateway.car', 'storage.gateway.get'],
    {
      storage: storing((file) =>
        Buffer.concat([file.subarray(0, -1), Buffer.from(file.subarray(-1).map((last) => last & 0xfe))]),
      ),
    },
    rehashes,
  ),
  interoperability('storage.add.empty-refused', 'an empty file is refused', ['storage.add.empty'], {
    storage: refusing((head) => head.includes('\r\n\r\n\r\n--'), 400),
  }),
  corruption(
    'storage.add.empty-line',
    'an empty file is stored as a line end',
    ['storage.add.empty'],
    { storage: storing((file) => (file.length === 0 ? Buffer.from('\n') : file)) },
    rehashes,
  ),
  corruption(
    'storage.add.last-block-lost',
    'content that ends with a whole block loses it, unless it is the only one',
    severalBlocks,
    {
      storage: storing((file) =>
        file.length > 262_144 && file.length % 262_144 === 0 ? file.subarray(0, -262_144) : file,
      ),
    },
    rehashes,
  ),
  corruption(
    'storage.add.single-byte-block-lost',
    'a last block of one byte is lost',
    severalBlocks,
    { storage: storing((file) => (file.length % 262_144 === 1 ? file.subarray(0, -1) : file)) },
    rehashes,
  ),
  corruption(
    'storage.add.flipped-when-large',
    'one bit is wrong in content over 1 MiB',
    [...severalBlocks, 'storage.cat.abort', 'storage.pin.protects-all-blocks', 'storage.gc.during-add'],
    {
      storage: storing((file) => {
        if (file.length > 1 << 20) file[1 << 20] = (file[1 << 20] ?? 0) ^ 1
        return file
      }),
    },
    rehashes,
  ),
  corruption(
    'storage.add.cut-when-very-large',
    'content is cut at 32 MiB, and acknowledged',
    ['storage.add.large'],
    { storage: storing((file) => file.subarray(0, 32 << 20)) },
    rehashes,
  ),
  interoperability(
    'storage.add.very-large-refused',
    'uploads over 32 MiB are refused with 413',
    ['storage.add.large'],
    { storage: refusing((_, { headers }) => Number(headers.get('content-length')) > 32 << 20, 413) },
  ),
  corruption(
    'storage.add.text-decoded',
    'content goes through a text decoder',
    anyBytes,
    { storage: storing((file) => Buffer.from(file.toString('utf8'))) },
    rehashes,
  ),
  corruption(
    'storage.add.seven-bits',
    'the eighth bit of each byte is lost',
    [...anyBytes, 'storage.add.multi-chunk'],
    { storage: storing((file) => file.map((byte) => byte & 0x7f)) },
    rehashes,
  ),
  corruption(
    'storage.add.control-z',
    'content ends at the first end-of-file sign',
    anyBytes,
    { storage: text((file) => file.split('\u001a')[0] ?? '') },
    rehashes,
  ),
  corruption(
    'storage.add.unpacked',
    'gzip is unpacked before it is stored',
    [...anyBytes, 'storage.gateway.no-encoding'],
    { storage: storing(unpacked) },
    rehashes,
  ),
  corruption(
    'storage.add.line-ends',
    'line ends are turned into those of Unix',
    anyBytes,
    { storage: text((file) => file.replaceAll('\r\n', '\n')) },
    rehashes,
  ),
  corruption(
    'storage.add.trimmed',
    'line ends around the content are not stored',
    anyBytes,
    { storage: text((file) => file.replace(/^(?:\r\n)+|(?:\r\n)+$/g, '')) },
    rehashes,
  ),
  corruption(
    'storage.add.boundary-guessed',
    'content ends at the first line that begins like the boundary of the form',
    anyBytes,
    { storage: text((file) => file.replace(/\r\n--assay[\s\S]*$/, '')) },
    rehashes,
  ),
  corruption(
    'storage.add.json-reformatted',
    'JSON is stored in another layout',
    anyBytes,
    { storage: storing(reformatted) },
    rehashes,
  ),
  corruption(
    'storage.add.byte-order-mark-lost',
    'a byte order mark is not stored',
    anyBytes,
    { storage: text((file) => file.replace(/^\u00ef\u00bb\u00bf/, '')) },
    rehashes,
  ),
  corruption(
    'storage.add.text-normalised',
    'content of the type text/plain ends with a line end',
    ['storage.add.part-type'],
    {
      storage: storing((file, head) =>
        head.includes('text/plain') ? Buffer.concat([file, Buffer.from('\n')]) : file,
      ),
    },
    'sends its bytes as application/octet-stream',
  ),
  corruption(
    'storage.add.name-stored',
    'the file name is stored with the content where it is quoted',
    ['storage.add.filename'],
    {
      storage: storing((file, head) =>
        head.includes('%22') ? Buffer.concat([file, Buffer.from(head)]) : file,
      ),
    },
    rehashes,
  ),
  corruption(
    'storage.add.full',
    'from the tenth upload on nothing more is stored, and all is acknowledged',
    ['storage.add.read-after-write', 'storage.cat.every-size', 'storage.gateway.read-after-add'],
    {
      storage: sometimes(
        fromTheNth(10, add),
        misasked(add, (query) => query.set('only-hash', 'true')),
      ),
    },
    readsBack,
  ),
]
