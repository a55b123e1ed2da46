import { faultKinds } from '../../../harness/fault-kinds.ts'
import { rewriting, withBody, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { type Bytes, flipped } from '../seams.faults.ts'
import { accepts, answered, asks, cars } from './car-sections.faults.ts'
import { overhearing, pathOf } from './seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const hash = ['storage.gateway.raw.hash']
const whole = ['storage.gateway.raw.whole']
const type = ['storage.gateway.raw.type']
const car = ['storage.gateway.car']
const order = ['storage.gateway.car.order']
const checksBlocks = 'checks each block against its CID'
const goesOn = 'asks for the blocks that it lacks one by one'

/** Roots have links and little else; what is larger is a leaf. */
const isLeaf = (response: Response) => Number(response.headers.get('content-length')) > 1000
const leaves = (change: (response: Response) => Response | Promise<Response>) =>
  answered(asks('raw'), (response) => (isLeaf(response) ? change(response) : response))
const blocks = (change: (bytes: Bytes) => Bytes) =>
  answered(asks('raw'), (response) => withBody(response, change))

/** A CAR of version 2 begins with an 11-byte pragma that a reader of version 1 takes for a header. */
const pragma = Uint8Array.of(0x0a, 0xa1, 0x67, ...Buffer.from('version'), 2)
/** A field that no node has, behind those of a dag-pb block: other bytes, and the same content. */
const unknownField = Buffer.of(0x78, 0x01)

/** A raw block of zero bytes, as it stands in a CAR. */
const foreign = new Uint8Array(
  Buffer.from('2401551220e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'hex'),
)

/** The same CID before a byte. */
const misnamed = new Uint8Array([37, ...foreign.subarray(1), 0x21])

export const faults = [
  corruption(
    'gateway.raw.flipped',
    'a raw block has one wrong bit',
    hash,
    { gateway: blocks((bytes) => flipped(bytes)) },
    checksBlocks,
  ),
  corruption(
    'gateway.raw.file-on-accept',
    'who accepts a raw block gets the file, labelled as a block',
    hash,
    {
      gateway: (next) => {
        const unaware = overhearing((headers) => headers.delete('accept'), accepts('raw'))(next)
        return answered(accepts('raw'), (response) =>
          withHeaders(response, { 'content-type': 'application/vnd.ipld.raw' }),
        )(unaware)
      },
    },
    checksBlocks,
  ),
  interoperability('gateway.raw.accept-203', 'who accepts a raw block gets it with 203', hash, {
    gateway: answered(accepts('raw'), (response) => withStatus(response, 203)),
  }),
  interoperability('gateway.raw.accept-refused', 'who accepts nothing but a raw block is refused', hash, {
    gateway: answered(accepts('raw'), () => new Response('not acceptable\n', { status: 406 })),
  }),
  corruption('gateway.raw.leaf-missing', 'blocks below the root are not found', whole, {
    gateway: leaves(() => new Response('404 page not found\n', { status: 404 })),
  }),
  interoperability('gateway.raw.leaf-203', 'blocks below the root come with 203', whole, {
    gateway: leaves((response) => withStatus(response, 203)),
  }),
  interoperability(
    'gateway.raw.leaf-encoded-otherwise',
    'a leaf is encoded in another way, with the same content',
    whole,
    {
      gateway: leaves((response) =>
        withBody(response, (bytes) => new Uint8Array(Buffer.concat([bytes, unknownField]))),
      ),
    },
    checksBlocks,
  ),
  corruption(
    'gateway.raw.leaf-without-framing',
    'a leaf comes as the bytes of the file',
    whole,
    { gateway: leaves((response) => withBody(response, (bytes) => bytes.slice(14))) },
    checksBlocks,
  ),
  interoperability('gateway.raw.type-octets', 'a raw block is application/octet-stream', type, {
    gateway: answered(asks('raw'), (response) =>
      withHeaders(response, { 'content-type': 'application/octet-stream' }),
    ),
  }),
  interoperability('gateway.raw.no-etag', 'a raw block has no ETag', type, {
    gateway: answered(asks('raw'), (response) => withHeaders(response, { etag: null })),
  }),
  corruption(
    'gateway.raw.etag-of-file',
    'a raw block has the ETag of the file, so that a cache gives one for the other',
    type,
    {
      gateway: rewriting(asks('raw'), (response, request) =>
        withHeaders(response, { etag: `"${pathOf(request).replace('/ipfs/', '')}"` }),
      ),
    },
    checksBlocks,
  ),
  interoperability('gateway.car.accept-203', 'who accepts a CAR gets it with 203', car, {
    gateway: answered(accepts('car'), (response) => withStatus(response, 203)),
  }),
  interoperability('gateway.car.version-2', 'a CAR is of version 2, and labelled as version 1', car, {
    gateway: cars(({ header, blocks }) => [pragma, header, ...blocks]),
  }),
  interoperability('gateway.car.no-header', 'a CAR has no header', car, {
    gateway: cars(({ blocks }) => blocks),
  }),
  corruption(
    'gateway.car.last-block-missing',
    'a CAR lacks its last block, and ends well',
    [...car, ...order],
    { gateway: cars(({ header, blocks }) => [header, ...blocks.slice(0, -1)]) },
    goesOn,
  ),
  corruption(
    'gateway.car.root-missing',
    'a CAR has the leaves alone',
    [...car, ...order],
    { gateway: cars(({ header, blocks }) => [header, ...blocks.slice(1)]) },
    goesOn,
  ),
  corruption(
    'gateway.car.cut',
    'a CAR ends in the middle of a block, with a clean 200',
    car,
    {
      gateway: cars(({ header, blocks }) => [
        header,
        ...blocks.slice(0, -1),
        (blocks.at(-1) ?? header).slice(0, -50),
      ]),
    },
    goesOn,
  ),
  corruption(
    'gateway.car.cut-behind',
    'a CAR has a block that is cut short behind all that the content needs',
    car,
    { gateway: cars(({ header, blocks }) => [header, ...blocks, (blocks[1] ?? header).slice(0, 20)]) },
    goesOn,
  ),
  corruption(
    'gateway.car.flipped',
    'a block in a CAR has one wrong bit',
    car,
    {
      gateway: cars(({ header, blocks }) => [
        header,
        ...blocks.map((block, i) => (i === 1 ? flipped(block, 1000) : block)),
      ]),
    },
    checksBlocks,
  ),
  corruption(
    'gateway.car.misnamed-behind',
    'a CAR ends with a block that its CID does not name',
    car,
    { gateway: cars(({ header, blocks }) => [header, ...blocks, misnamed]) },
    checksBlocks,
  ),
  interoperability('gateway.car.reordered', 'a CAR that states depth-first order has its root last', order, {
    gateway: cars(({ header, blocks }) => [header, ...blocks.slice(1), ...blocks.slice(0, 1)]),
  }),
  interoperability('gateway.car.duplicates', 'a CAR that states that it has none has duplicates', order, {
    gateway: cars(({ header, blocks }) => [header, ...blocks, ...blocks.slice(-1)]),
  }),
  interoperability(
    'gateway.car.foreign-block',
    'a CAR that states depth-first order has a block of other content',
    order,
    {
      gateway: cars(({ header, blocks }) => [header, ...blocks, foreign]),
    },
  ),
]
