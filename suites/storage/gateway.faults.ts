import { setTimeout } from 'node:timers/promises'
import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, to, withHeaders, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { content, heading, instead, isContent, isGet, pathOf, serving } from './gateway/seams.faults.ts'
import { changing, flipped, fromTheNth, mixing, patience, type Seam, sometimes } from './seams.faults.ts'

const { corruption, interoperability, security } = faultKinds<Seams>()

const badCid = ['storage.gateway.bad-cid']
const rehashes = 'asks for raw blocks, and checks them against their CIDs'
const asksAgain = 'asks again'

/** A CID is refused in its own way. */
const refused = (what: RegExp, answer: () => Response | Promise<Response>): Seams => ({
  gateway: answering((request) => isContent(request) && what.test(pathOf(request)), answer),
})

const gone = (status: number) => new Response('404 page not found\n', { status })

/** Refuses a request while another is served. */
const single: Seam = (next) => {
  let underWay = 0
  return async (request, context) => {
    if (underWay > 0) return new Response('busy\n', { status: 503 })
    underWay += 1
    try {
      await setTimeout(patience)
      const answer = await next(request, context)
      return new Response(await answer.arrayBuffer(), answer)
    } finally {
      underWay -= 1
    }
  }
}

export const faults = [
  interoperability(
    'gateway.status-203',
    'the gateway answers 203',
    [
      'storage.gateway.get',
      'storage.gateway.public',
      'storage.gateway.same-as-cat',
      'storage.gateway.concurrent',
      'storage.gateway.content-type',
      'storage.gateway.no-encoding',
      'storage.gateway.method-not-allowed',
      'storage.gateway.cache-control',
      'storage.gateway.if-none-match.other',
      'storage.gateway.error-not-cached',
      'storage.gateway.cid-v1',
      'storage.gateway.filename',
      'storage.gateway.pushed-blob',
    ],
    { gateway: instead('GET', 200, 203) },
  ),
  corruption(
    'gateway.last-byte-wrong',
    'the last byte of content is wrong',
    [
      'storage.gateway.get',
      'storage.gateway.public',
      'storage.gateway.same-as-cat',
      'storage.gateway.concurrent',
      'storage.gateway.no-encoding',
      'storage.gateway.method-not-allowed',
      'storage.gateway.if-none-match.other',
      'storage.gateway.error-not-cached',
      'storage.gateway.cid-v1',
      'storage.gateway.filename',
      'storage.gateway.pushed-blob',
      'storage.gateway.if-range',
    ],
    { gateway: serving((bytes) => flipped(bytes)) },
    rehashes,
  ),
  corruption(
    'gateway.last-byte-missing',
    'the last byte of content is missing, and the length fits',
    ['storage.gateway.get', 'storage.gateway.read-after-add', 'storage.gateway.same-as-cat'],
    { gateway: serving((bytes) => bytes.slice(0, -1)) },
    rehashes,
  ),
  corruption(
    'gateway.third-wrong',
    'from the third request for a content on, one bit is wrong',
    ['storage.gateway.get'],
    {
      gateway: sometimes(
        fromTheNth(3, content, pathOf),
        serving((bytes) => flipped(bytes)),
      ),
    },
    rehashes,
  ),
  corruption(
    'gateway.flipped-when-large',
    'one bit is wrong in content over 1 MiB',
    ['storage.gateway.multi-chunk'],
    { gateway: serving((bytes) => flipped(bytes, 1 << 20)) },
    rehashes,
  ),
  corruption(
    'gateway.last-block-missing',
    'content ends with its last whole block',
    ['storage.gateway.multi-chunk', 'storage.gateway.concurrent', 'storage.gateway.same-as-cat'],
    {
      gateway: serving((bytes) =>
        bytes.length > 262_144 ? bytes.slice(0, bytes.length - (bytes.length % 262_144)) : bytes,
      ),
    },
    rehashes,
  ),
  corruption(
    'gateway.breaks-off',
    'the connection is closed in the middle of content of several blocks',
    ['storage.gateway.multi-chunk'],
    {
      gateway: changing(
        content,
        async (response) => {
          const bytes = await response.arrayBuffer()
          if (bytes.byteLength <= 262_144) return new Response(bytes, response)
          const length = { 'content-length': String(bytes.byteLength), connection: 'close' }
          return withHeaders(new Response(bytes.slice(0, 262_144), response), length)
        },
        isGet,
      ),
    },
    'takes nothing for the whole that broke off',
  ),
  corruption(
    'gateway.framed',
    'content comes with the framing of its first block',
    ['storage.gateway.get', 'storage.gateway.same-as-cat', 'storage.gateway.empty'],
    {
      gateway: serving((bytes) => Buffer.concat([Buffer.of(0x0a, 0x02, 0x08, 0x02), bytes])),
    },
    rehashes,
  ),
  interoperability(
    'gateway.login',
    'the gateway asks for a login',
    ['storage.gateway.public', 'storage.gateway.get'],
    {
      gateway: answering(
        isContent,
        () => new Response('', { status: 401, headers: { 'www-authenticate': 'Basic realm="gateway"' } }),
      ),
    },
  ),
  interoperability(
    'gateway.login-offered',
    'the gateway serves, and asks for a login in the same answer',
    ['storage.gateway.public'],
    { gateway: heading({ 'www-authenticate': 'Basic realm="gateway"' }) },
  ),
  interoperability('gateway.empty-204', 'empty content is answered with 204', ['storage.gateway.empty'], {
    gateway: changing(content, (response) =>
      response.headers.get('content-length') === '0' ? withStatus(response, 204) : response,
    ),
  }),
  interoperability('gateway.empty-404', 'empty content is not found', ['storage.gateway.empty'], {
    gateway: changing(content, (response) =>
      response.headers.get('content-length') === '0' ? gone(404) : response,
    ),
  }),
  corruption(
    'gateway.empty-line',
    'empty content is served as a line end',
    ['storage.gateway.empty'],
    { gateway: serving((bytes) => (bytes.length === 0 ? '\n' : bytes)) },
    rehashes,
  ),
  interoperability(
    'gateway.lags',
    'content is not on the gateway when it is asked for first',
    ['storage.gateway.read-after-add', 'storage.gateway.get', 'storage.gateway.pushed-blob'],
    {
      gateway: (next) => {
        const known = new Set<string>()
        return answering(
          (request) =>
            isContent(request) && !known.has(pathOf(request)) && Boolean(known.add(pathOf(request))),
          () => gone(404),
        )(next)
      },
    },
    asksAgain,
  ),
  corruption(
    'gateway.mixed',
    'parallel requests are mixed up',
    ['storage.gateway.concurrent'],
    { gateway: mixing(content) },
    rehashes,
  ),
  interoperability(
    'gateway.one-at-a-time',
    'a request is refused while another is served',
    ['storage.gateway.concurrent'],
    { gateway: single },
    asksAgain,
  ),
  interoperability(
    'gateway.bad-cid.504',
    'what is no CID makes the gateway search, which answers 504 in the end',
    badCid,
    refused(/\/notacid$/, () => gone(504)),
  ),
  interoperability(
    'gateway.bad-cid.hangs',
    'what is no CID is never answered',
    badCid,
    refused(/\/Qm0$/, () => new Promise(() => {})),
    'gives up after a while',
  ),
  interoperability(
    'gateway.bad-cid.long',
    'a very long path makes the gateway fail',
    badCid,
    refused(/\/b{2000}$/, () => gone(500)),
  ),
  interoperability(
    'gateway.bad-cid.percent',
    'a path with a broken escape makes the gateway fail',
    badCid,
    refused(/%zz$/, () => gone(500)),
  ),
  interoperability(
    'gateway.bad-cid.nul',
    'a path with a NUL makes the gateway fail',
    badCid,
    refused(/%00$/, () => gone(500)),
  ),
  corruption(
    'gateway.bad-cid.page',
    'what is no CID is a page for people, with 200',
    badCid,
    refused(/\/notacid$/, () => new Response('<h1>Not a CID</h1>')),
    'does not take a page for content',
  ),
  corruption(
    'gateway.unknown-empty',
    'content that nobody has is empty, with 200',
    ['storage.gateway.unknown-cid'],
    { gateway: instead('GET', 404, 200) },
    'knows that only one CID means nothing',
  ),
  interoperability(
    'gateway.unknown-fails',
    'content that nobody has makes the gateway fail',
    ['storage.gateway.unknown-cid'],
    { gateway: instead('GET', 404, 500) },
  ),
  security(
    'gateway.unknown-forbidden',
    'content that nobody has is forbidden, so that no one knows what is there',
    ['storage.gateway.unknown-cid'],
    { gateway: instead('GET', 404, 403) },
  ),
  security(
    'gateway.root-writable',
    'the root of the gateway takes uploads',
    ['storage.gateway.method-not-allowed'],
    { gateway: answering(to('POST', /^\/ipfs\/$/), () => new Response(null, { status: 201 })) },
  ),
]
