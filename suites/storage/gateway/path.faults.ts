import { faultKinds } from '../../../harness/fault-kinds.ts'
import { rewriting, withBody, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { changing, queryOf, type Seam } from '../seams.faults.ts'
import { content, isContent, isGet, pathOf, serving } from './seams.faults.ts'

const { corruption, interoperability, security } = faultKinds<Seams>()

const below = ['storage.gateway.below-file']
const traversal = ['storage.gateway.traversal']
const filename = ['storage.gateway.filename']
const version1 = ['storage.gateway.cid-v1']
const belowFile = /^(\/ipfs\/[^/]+)\/.+/
const passwords = 'root:x:0:0:root:/root:/bin/bash\n'

/** Answers by the path as it stands on the wire: in a URL the dot segments are resolved. */
const onWire =
  (path: RegExp, answer: () => Response): Seam =>
  (next) =>
  (request, context) =>
    path.test(context.req?.url ?? '') ? answer() : next(request, context)

const named = (request: Request) => isContent(request) && queryOf(request).has('filename')
const nameOf = (request: Request) => queryOf(request).get('filename') ?? ''
const isVersion1 = (request: Request) => isContent(request) && /^\/ipfs\/b/.test(pathOf(request))

export const faults = [
  interoperability('gateway.below-file.file', 'a path below a file gives the file', below, {
    gateway: (next) => (request, context) => {
      const [, file] = belowFile.exec(pathOf(request)) ?? []
      return next(file ? new Request(new URL(file, request.url)) : request, context)
    },
  }),
  interoperability('gateway.below-file.fails', 'a path below a file makes the gateway fail', below, {
    gateway: rewriting(
      (request) => belowFile.test(pathOf(request)),
      (response) => withStatus(response, 500),
    ),
  }),
  security('gateway.traversal.plain', 'dot segments lead to the files of the host', traversal, {
    gateway: onWire(/(?:\.\.\/){3,}etc\/passwd$/, () => new Response(passwords)),
  }),
  security('gateway.traversal.short', 'two dot segments lead to the files of the host', traversal, {
    gateway: onWire(/\/[^./]+\/\.\.\/\.\.\/etc\/passwd$/, () => new Response(passwords)),
  }),
  security(
    'gateway.traversal.dots-encoded',
    'encoded dot segments lead to the files of the host',
    traversal,
    {
      gateway: onWire(/\/(?:%2e%2e\/)+etc\/passwd$/, () => new Response(passwords)),
    },
  ),
  security('gateway.traversal.slashes-encoded', 'encoded slashes lead to the files of the host', traversal, {
    gateway: onWire(/\.\.%2F\.\.%2F.*etc%2fpasswd$/, () => new Response(passwords)),
  }),
  security('gateway.traversal.all-encoded', 'an encoded path leads to the files of the host', traversal, {
    gateway: onWire(/\/ipfs\/%2e%2e%2f/, () => new Response(passwords)),
  }),
  interoperability('gateway.traversal.fails', 'dot segments make the gateway fail', traversal, {
    gateway: onWire(/\.\.(?:\/|%2F)/, () => new Response('no such file\n', { status: 500 })),
  }),
  corruption(
    'gateway.cid-v1.framed',
    'content by its CIDv1 comes as its root block',
    version1,
    { gateway: serving((bytes) => bytes.slice(0, 100), isVersion1) },
    'asks by the CID that it was told',
  ),
  interoperability('gateway.cid-v1.fails', 'content by its CIDv1 makes the gateway fail', version1, {
    gateway: rewriting(isVersion1, (response) => withStatus(response, 500)),
  }),
  interoperability('gateway.filename.fails', 'a filename outside ASCII makes the gateway fail', filename, {
    gateway: rewriting(
      (request) => named(request) && /[^ -~]/.test(nameOf(request).replace(/\s/g, '')),
      (response) => withStatus(response, 500),
    ),
  }),
  corruption(
    'gateway.filename.into-content',
    'a filename is written before the content',
    filename,
    {
      gateway: changing(
        content,
        (response, request) =>
          withBody(response, (bytes) => Buffer.concat([Buffer.from(nameOf(request)), bytes])),
        (request) => isGet(request) && named(request),
      ),
    },
    'asks without a filename',
  ),
  security('gateway.filename.header', 'line ends in a filename put headers into the answer', filename, {
    gateway: rewriting(named, (response, request) => {
      const [, value] = /\r\nX-Evil:(.*)\r\n/.exec(nameOf(request)) ?? []
      return value === undefined ? response : withHeaders(response, { 'x-evil': value })
    }),
  }),
  interoperability(
    'gateway.filename.line-end-fails',
    'line ends in a filename make the gateway fail',
    filename,
    {
      gateway: rewriting(
        (request) => named(request) && nameOf(request).includes('\r'),
        (response) => withStatus(response, 500),
      ),
    },
  ),
]
