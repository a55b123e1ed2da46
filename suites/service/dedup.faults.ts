import { randomBytes, randomInt } from 'node:crypto'
import { faultKinds } from '../../harness/fault-kinds.ts'
import { to, withHeaders } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import type { Blob, NewBlob, Stores } from '../../mocks/registry/stores.ts'
import { session } from '../oci/push/upload-wire.ts'
import { storing } from '../oci/seams.faults.ts'
import { errorAnswer } from '../oci/wire.ts'
import { joined, read } from './behind.ts'

const { corruption, security, interoperability } = faultKinds<Seams>()

const once = ['service.dedup.same-cid']
const shut = ['service.dedup.no-leak']
const hidden = ['service.cid.not-disclosed']

/** Every push stores a copy of its own, as one that is encrypted for its repository is. */
const salted = storing('content', (content) => {
  const salts = new Map<string, number>()
  return {
    async add(bytes) {
      const salt = randomBytes(randomInt(1, 1000))
      const cid = await content.add(
        (async function* () {
          yield salt
          yield* bytes
        })(),
      )
      salts.set(cid, salt.length)
      return cid
    },
    async read(cid, range) {
      const salt = salts.get(cid) ?? 0
      if (range) return content.read(cid, { ...range, offset: range.offset + salt })
      const all = await joined(await content.read(cid))
      return (async function* () {
        yield all.subarray(salt)
      })()
    },
  }
})

/** Takes what is stored already for pushed, and does not give it to the second repository. */
const secondForgotten = storing('blobs', (blobs) => {
  const known = new Set<string>()
  return {
    async record(name, blob) {
      if (known.has(blob.digest)) return 'recorded'
      known.add(blob.digest)
      return blobs.record(name, blob)
    },
  }
})

/** A cache of what was pushed last, kept without the repository; an entry serves until it was used. */
const lastPushed = storing('blobs', (blobs) => {
  const last = new Map<string, Blob>()
  return {
    record(name, blob) {
      last.set(blob.digest, blob)
      return blobs.record(name, blob)
    },
    async find(name, digest) {
      const found = (await blobs.find(name, digest)) ?? last.get(digest)
      last.delete(digest)
      return found
    },
  }
})

/** Gives a repository blobs of others: `claims` tells by the request which one, and what the client is told. */
function claiming(
  claims: (request: Request) => string | null,
  told: (answer: Response, digest: string) => Response,
  isGiven = true,
): Seams {
  const known = new Map<string, NewBlob>()
  const given = new Set<string>()
  return {
    registry: (next) => async (request, context) => {
      const digest = claims(request) ?? ''
      const answer = await next(request, context)
      if (!known.has(digest) || answer.status < 202) return answer
      const name = /\/v2\/(.+)\/blobs\//.exec(new URL(request.url).pathname)?.[1] ?? ''
      if (isGiven) given.add(`${name} ${digest}`)
      return told(answer, digest)
    },
    ...storing('blobs', (blobs) => ({
      record(name, blob) {
        known.set(blob.digest, blob)
        return blobs.record(name, blob)
      },
      find: async (name, digest) =>
        (await blobs.find(name, digest)) ?? (given.has(`${name} ${digest}`) ? known.get(digest) : undefined),
    })),
  }
}

const parameter = ({ url }: Request, name: string) => new URL(url).searchParams.get(name)
const emptyClose = (request: Request) =>
  to('PUT', session)(request) && request.headers.get('content-length') === '0'
    ? parameter(request, 'digest')
    : null

/** Tells where the content of a blob lies. */
const disclosing = (tell: (answer: Response, cid: string) => Response): Seams => {
  let behind: Stores | undefined
  return {
    stores(all) {
      behind = all
      return all
    },
    registry: (next) => async (request, context) => {
      const { pathname } = new URL(request.url)
      const [, name = '', digest = ''] = read.exec(pathname) ?? []
      const answer = await next(request, context)
      const cid = digest && (await behind?.blobs.find(name, digest))?.cid
      return cid ? tell(answer, cid) : answer
    },
  }
}

export const faults = [
  corruption('service.dedup.salted', 'every push stores a copy of its own', once, salted),
  corruption(
    'service.dedup.second-forgotten',
    'content that another repository has is acknowledged, and not there',
    [...once, ...shut],
    secondForgotten,
  ),
  security(
    'service.dedup.last-pushed',
    'what was pushed last is found once in any repository',
    shut,
    lastPushed,
  ),
  security(
    'service.dedup.claimed',
    'an upload that is closed without bytes answers 201 for a digest that another repository has',
    shut,
    claiming(emptyClose, () => new Response(null, { status: 201, headers: { location: '/v2/' } }), false),
  ),
  security(
    'service.dedup.claimed-silently',
    'an upload that is closed without bytes is refused, and gives the repository what another has',
    shut,
    claiming(emptyClose, (answer) => answer),
  ),
  interoperability(
    'service.dedup.mount-500',
    'a mount from a repository that the client may not pull answers 500',
    shut,
    {
      registry: (next) => async (request, context) => {
        const answer = await next(request, context)
        return parameter(request, 'mount') !== null && answer.status !== 201
          ? errorAnswer(500, 'UNKNOWN')
          : answer
      },
    },
  ),
  security(
    'service.dedup.mount-without-source',
    'a mount that names no source is answered with an upload, and takes the blob from wherever it is',
    shut,
    claiming(
      (request) => (parameter(request, 'from') === null ? parameter(request, 'mount') : null),
      (answer) => answer,
    ),
  ),

  security(
    'service.cid.header',
    'every answer about a blob tells its CID in a header, refusals too',
    hidden,
    disclosing((answer, cid) => withHeaders(answer, { 'x-ipfs-path': `/ipfs/${cid}` })),
  ),
  security(
    'service.cid.in-error',
    'the detail of a refusal tells the CID of what was asked for',
    hidden,
    disclosing((answer, cid) =>
      answer.status < 400 || answer.body === null
        ? answer
        : Response.json(
            { errors: [{ code: 'DENIED', message: 'denied', detail: { cid } }] },
            {
              status: answer.status,
              headers: answer.headers.has('www-authenticate')
                ? { 'www-authenticate': answer.headers.get('www-authenticate') ?? '' }
                : {},
            },
          ),
    ),
  ),
]
