import { setTimeout } from 'node:timers/promises'
import { faultKinds } from '../../harness/fault-kinds.ts'
import { withBody } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import {
  addingWith,
  altering,
  changing,
  fileIn,
  misasked,
  mixing,
  patience,
  queryOf,
  refusing,
  restatus,
  rpc,
  type Seam,
  telling,
} from './seams.faults.ts'

const { corruption, interoperability, security, cosmetic } = faultKinds<Seams>()
const { add } = rpc

const plausible = ['storage.add.size-plausible']
const reads = ['storage.add', ...plausible]
const rehashes = 'computes the CID of what it sent, and compares'

/** A CID of version 1 in the base32 of the RFC, which Kubo and all others write without padding. */
const padded = (cid: unknown) => `${cid}${'='.repeat(6)}`

/** What was added before is added with other options. */
const again =
  (options: Readonly<Record<string, string>>): Seam =>
  (next) => {
    const known = new Set<string>()
    const otherwise = addingWith(options)(next)
    return async (request, context) => {
      if (!add.test(new URL(request.url).pathname)) return next(request, context)
      const { method, headers } = request
      const body = await request.arrayBuffer()
      const file = fileIn(Buffer.from(body)).toString('latin1')
      const copy = new Request(request.url, { method, headers, body })
      if (known.has(file)) return otherwise(copy, {})
      known.add(file)
      return next(copy, {})
    }
  }

/** Two contents of one length are told one CID. */
const byLength = (next: Parameters<Seam>[0]) => {
  const known = new Map<unknown, unknown>()
  return telling(add, (line) => {
    const Hash = known.get(line['Size']) ?? line['Hash']
    known.set(line['Size'], Hash)
    return { ...line, Hash }
  })(next)
}

/** The file name of the part stays as it was sent. */
const uncleaned =
  (when: (name: string) => boolean): Seam =>
  (next) =>
  async (request, context) => {
    if (!add.test(new URL(request.url).pathname)) return next(request, context)
    const { method, headers } = request
    const body = await request.arrayBuffer()
    const sent = /filename="([^"]*)"/.exec(Buffer.from(body).toString('latin1', 0, 400))?.[1] ?? ''
    const answer = await next(new Request(request.url, { method, headers, body }), {})
    if (!when(sent)) return answer
    return withBody(answer, (text) =>
      Buffer.from(text)
        .toString()
        .replace(/"Name":"[^"]*"/, `"Name":${JSON.stringify(sent)}`),
    )
  }

/** What is added while another upload is under way is hashed and not kept. */
const alone: Seam = (next) => {
  let underWay = 0
  const hashing = misasked(add, (query) => query.set('only-hash', 'true'))(next)
  return async (request, context) => {
    if (!add.test(new URL(request.url).pathname)) return next(request, context)
    underWay += 1
    try {
      await setTimeout(patience)
      return await (underWay > 1 ? hashing : next)(request, context)
    } finally {
      underWay -= 1
    }
  }
}

export const faults = [
  interoperability('storage.add.status-201', 'add answers 201', ['storage.add'], {
    storage: restatus(add, 201),
  }),
  interoperability(
    'storage.add.as-text',
    'add answers in the words of the command line',
    ['storage.add', 'storage.add.hash-is-cid'],
    {
      storage: changing(add, (response) =>
        withBody(response, (body) => {
          const { Hash, Name } = JSON.parse(Buffer.from(body).toString().trim().split('\n').at(-1) ?? '{}')
          return `added ${Hash} ${Name}\n`
        }),
      ),
    },
  ),
  interoperability(
    'storage.add.progress-in-words',
    'a line in words comes before the JSON',
    ['storage.add'],
    { storage: altering(add, (body) => `adding\n${Buffer.from(body).toString()}`) },
    'passes over lines that are not JSON',
  ),
  interoperability('storage.add.in-array', 'add wraps what it tells into an array', ['storage.add'], {
    storage: telling(add, (line) => [line]),
  }),
  interoperability(
    'storage.add.hash-renamed',
    'add tells the CID under another name',
    ['storage.add', 'storage.add.hash-is-cid'],
    { storage: telling(add, ({ Hash, ...line }) => ({ ...line, Cid: Hash })) },
  ),
  interoperability(
    'storage.add.hash-link',
    'Hash is a link object, as other commands give',
    ['storage.add'],
    {
      storage: telling(add, (line) => ({ ...line, Hash: { '/': line['Hash'] } })),
    },
  ),
  interoperability('storage.add.hash-empty', 'Hash is an empty string', ['storage.add'], {
    storage: telling(add, (line) => ({ ...line, Hash: '' })),
  }),
  interoperability(
    'storage.add.hash-path',
    'Hash is a path and not a CID',
    ['storage.add.hash-is-cid'],
    { storage: telling(add, (line) => ({ ...line, Hash: `/ipfs/${line['Hash']}` })) },
    'takes what stands behind /ipfs/',
  ),
  interoperability(
    'storage.add.hash-padded',
    'Hash is in base32 with padding, which is no canonical spelling',
    ['storage.add.hash-is-cid'],
    {
      storage: (next) =>
        addingWith({ 'cid-version': '1' })(
          telling(add, (line) => ({ ...line, Hash: padded(line['Hash']) }))(next),
        ),
    },
    'decodes the CID, and spells it in its own way before it compares',
  ),
  corruption(
    'storage.add.hash-of-nothing',
    'Hash is well formed and has no digest in it',
    ['storage.add.hash-is-cid'],
    { storage: telling(add, (line) => ({ ...line, Hash: 'bafkqaaa' })) },
    rehashes,
  ),
  corruption(
    'storage.add.hash-of-nothing-when-large',
    'content of several blocks gets a CID without a digest',
    ['storage.add.hash-is-cid'],
    {
      storage: telling(add, (line) =>
        Number(line['Size']) > 262_158 ? { ...line, Hash: 'bafkqaaa' } : line,
      ),
    },
    rehashes,
  ),
  interoperability('storage.add.size-number', 'Size is a number', ['storage.add'], {
    storage: telling(add, (line) => ({ ...line, Size: Number(line['Size']) })),
  }),
  interoperability('storage.add.size-missing', 'add tells no Size', reads, {
    storage: telling(add, ({ Size: _, ...line }) => line),
  }),
  interoperability('storage.add.size-human', 'Size is for people', reads, {
    storage: telling(add, (line) => ({ ...line, Size: `${Number(line['Size']) / 1000} kB` })),
  }),
  interoperability('storage.add.size-hexadecimal', 'Size is in hexadecimal', ['storage.add'], {
    storage: telling(add, (line) => ({ ...line, Size: `0x${Number(line['Size']).toString(16)}` })),
  }),
  interoperability('storage.add.size-zero', 'Size is 0 for all content', plausible, {
    storage: telling(add, (line) => ({ ...line, Size: '0' })),
  }),
  interoperability('storage.add.size-of-first-block', 'Size is that of the first block', plausible, {
    storage: telling(add, (line) => ({ ...line, Size: String(Math.min(Number(line['Size']), 262_158)) })),
  }),
  interoperability('storage.add.size-doubled', 'Size counts every byte twice', plausible, {
    storage: telling(add, (line) => ({ ...line, Size: String(2 * Number(line['Size'])) })),
  }),
  interoperability('storage.add.size-varies', 'Size grows with each upload', plausible, {
    storage: (next) => {
      let uploads = 0
      return telling(add, (line) => ({ ...line, Size: String(Number(line['Size']) + ++uploads) }))(next)
    },
  }),
  cosmetic('storage.add.name-is-hash', 'Name is the CID', ['storage.add.name'], {
    storage: telling(add, (line) => ({ ...line, Name: line['Hash'] })),
  }),
  cosmetic('storage.add.name-missing', 'add tells no Name', ['storage.add.name'], {
    storage: telling(add, ({ Name: _, ...line }) => line),
  }),
  security(
    'storage.add.name-upwards',
    'Name leads out of the folder in which a client unpacks',
    ['storage.add.filename-path'],
    { storage: uncleaned((name) => name.includes('..')) },
    'takes no Name for a path',
  ),
  security(
    'storage.add.name-absolute',
    'Name is an absolute path',
    ['storage.add.filename-path'],
    { storage: uncleaned((name) => name.startsWith('/')) },
    'takes no Name for a path',
  ),
  interoperability(
    'storage.add.name-crash',
    'a file name with a path makes the node fail',
    ['storage.add.filename-path'],
    { storage: refusing((head) => /filename="[^"]*\//.test(head), 500) },
  ),
  interoperability(
    'storage.add.again-otherwise',
    'content that is added again is told another CID',
    [
      'storage.add.deterministic',
      'storage.add.filename',
      'storage.add.part-type',
      'storage.add.framing',
      'storage.add.concurrent',
    ],
    { storage: again({ 'cid-version': '1' }) },
    'keeps the CID that it was told with the content',
  ),
  interoperability(
    'storage.add.time-in-cid',
    'the time of the upload goes into the CID',
    ['storage.add.deterministic', 'storage.add.concurrent'],
    {
      storage: (next) => {
        let now = 1_700_000_000
        return misasked(add, (query) => query.set('mtime', String(now++)))(next)
      },
    },
  ),
  corruption(
    'storage.add.cid-of-length',
    'contents of one length get one CID',
    ['storage.add.deterministic', 'storage.add.distinct', 'storage.gateway.etag'],
    { storage: byLength },
    rehashes,
  ),
  interoperability(
    'storage.add.wraps',
    'a file is added within a directory of its name',
    ['storage.add.filename', 'storage.gateway.raw.whole', 'storage.gateway.car'],
    { storage: addingWith({ 'wrap-with-directory': 'true' }) },
  ),
  interoperability(
    'storage.add.nameless-refused',
    'a part without a file name is refused',
    ['storage.add.filename'],
    { storage: refusing((head) => !head.includes('filename="'), 400) },
  ),
  interoperability(
    'storage.add.typeless-refused',
    'a part without a Content-Type is refused',
    ['storage.add.part-type'],
    { storage: refusing((head) => !/\r\ncontent-type:/i.test(head), 400) },
  ),
  interoperability(
    'storage.add.chunked-refused',
    'an upload without Content-Length is refused with 411',
    ['storage.add.framing'],
    { storage: refusing((_, { headers }) => headers.has('transfer-encoding'), 411) },
    'tells the length where it knows it',
  ),
  corruption(
    'storage.add.chunked-otherwise',
    'an upload without Content-Length is cut into blocks of another size',
    ['storage.add.framing'],
    {
      storage: misasked(add, (query, { headers }) => {
        if (headers.has('transfer-encoding')) query.set('chunker', 'size-65536')
      }),
    },
  ),
  corruption(
    'storage.add.answers-mixed',
    'an upload that ends while others run is told the CID of another',
    ['storage.add.concurrent'],
    { storage: mixing(add) },
    rehashes,
  ),
  corruption(
    'storage.add.concurrent-not-kept',
    'what is added while another upload runs is not stored',
    ['storage.add.concurrent'],
    { storage: alone },
    'reads back what it must not lose',
  ),
  corruption(
    'storage.add.unpinned-not-kept',
    'content that is added without a pin is not stored',
    ['storage.pin.add'],
    {
      storage: misasked(add, (query, request) => {
        if (queryOf(request).get('pin') === 'false') query.set('only-hash', 'true')
      }),
    },
    'reads back what it must not lose',
  ),
]
