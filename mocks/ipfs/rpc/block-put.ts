/** `block/put`: stores a block as it is, under the CID that the request wants for it. */
import { CID, codecs, keyOfMultihash } from '../dag/cid.ts'
import { hashByName, multihash } from '../dag/hash.ts'
import { children } from '../dag/walk.ts'
import { IpfsError } from '../errors.ts'
import { readSmall, uploadedEntries } from '../import/upload.ts'
import { varint } from '../varint.ts'
import { bigBlock, blockLimit } from './block-limit.ts'
import type { Call, Command } from './call.ts'

const codecNames = new Map<string, number>([
  ['raw', codecs.raw],
  ['dag-pb', codecs.dagPb],
  ['protobuf', codecs.dagPb],
  ['dag-cbor', codecs.dagCbor],
  ['dag-json', codecs.dagJson],
  ['cbor', codecs.cbor],
  ['json', codecs.json],
  ['libp2p-key', 0x72],
])

/** No request needs a block of more; it is held in memory. */
const absoluteLimit = 64 * 1024 * 1024

export const blockPut: Command = {
  path: 'block/put',
  args: [{ name: 'data', kind: 'file', required: true, variadic: true }],
  options: {
    'cid-codec': 'string',
    format: 'string',
    mhtype: 'string',
    mhlen: 'int',
    pin: 'bool',
    'allow-big-block': 'bool',
  },
  aliases: { f: 'format' },
  run: (call) => ({ kind: 'values', values: putAll(call) }),
}

async function* putAll(call: Call) {
  const name = naming(call)
  const { repo } = call.node
  for await (const { body } of uploadedEntries(call.files)) {
    const block = await readSmall(body, absoluteLimit)
    if (block.length > blockLimit && !call.options.flag('allow-big-block', false)) throw bigBlock()
    const cid = name(block)
    const session = repo.session()
    if (cid.multihash.code !== 0) session.put(keyOfMultihash(cid.multihash.bytes), [block], block.length)
    session.commit()
    if (call.options.flag('pin', false)) {
      await children(repo, cid)
      repo.pin(cid.toString(), { mode: 'recursive', name: '' })
    }
    yield { Key: call.format(cid), Size: block.length }
  }
}

/** How the options of a request name a block. Throws ERR_INPUT. */
function naming({ options }: Call): (block: Uint8Array) => CID {
  const format = options.text('format') ?? ''
  const codecName = options.text('cid-codec') ?? 'raw'
  if (format !== '' && !['', 'raw'].includes(codecName)) {
    throw bad('unable to use "format" (deprecated) and a custom "cid-codec" at the same time')
  }
  const hashName = options.text('mhtype') || 'sha2-256'
  const hash = hashByName(hashName)
  if (!hash) throw bad(`unrecognized multihash function: ${hashName}`)
  const length = options.number('mhlen') ?? -1
  if (format === 'v0') return (block) => CID.decode(multihash(hash, [block]))
  // `cbor` has always meant dag-cbor here.
  const wanted = format === 'cbor' ? 'dag-cbor' : format || codecName
  const codec = codecNames.get(wanted)
  if (codec === undefined) throw bad(`unknown multicodec: ${JSON.stringify(wanted)}`)
  return (block) => {
    const digest = hash.digest([block])
    const kept = length < 0 ? digest : digest.subarray(0, length)
    return CID.decode(Buffer.concat([varint(1), varint(codec), varint(hash.code), varint(kept.length), kept]))
  }
}

const bad = (message: string) => new IpfsError('ERR_INPUT', message)
