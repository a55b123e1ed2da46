import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, rewriting, to, withHeaders } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { having } from '../oci/wire.ts'
import { failure, type Seam } from './seams.faults.ts'

const { interoperability, security, cosmetic } = faultKinds<Seams>()

const unknown = /\/api\/v0\/nosuch$/
const anything = /\/api\/v0\//

/** Says another Allow than the methods that are not refused. */
const allowing = (allow: string | null): Seams => ({
  storage: rewriting(
    to('*', anything),
    having(405, (response) => withHeaders(response, { allow })),
  ),
})

/** Lets pages of other sites in, where they ask by this method. */
const admitting =
  (method: string, permission: (origin: string) => string): Seam =>
  (next) =>
  async (request, context) => {
    const origin = request.headers.get('origin')
    if (request.method !== method || origin === null) return next(request, context)
    const headers = new Headers(request.headers)
    headers.delete('origin')
    const answer = await next(new Request(request.url, { method, headers }), context)
    return withHeaders(answer, { 'access-control-allow-origin': permission(origin) })
  }

/** A command that the gateway answers as the API would. */
const onGateway = (method: string, command: string, answer: () => Response): Seams => ({
  gateway: answering(to(method, new RegExp(`^/api/v0/${command}$`)), answer),
})

export const faults = [
  interoperability(
    'storage.api.unknown-ignored',
    'an unknown command is an empty 200',
    ['storage.api.unknown-command'],
    { storage: answering(to('POST', unknown), () => Response.json({})) },
    'asks version which commands there are',
  ),
  interoperability(
    'storage.api.unknown-page',
    'GET of an unknown command is a page',
    ['storage.api.unknown-command'],
    { storage: answering(to('GET', unknown), () => new Response('<h1>Welcome</h1>')) },
  ),
  interoperability(
    'storage.api.unknown-fails',
    'an unknown command answers 500',
    ['storage.api.unknown-command'],
    { storage: answering(to('POST', unknown), () => failure(500, 'no such command')) },
  ),
  cosmetic(
    'storage.api.405-silent',
    'a 405 does not name the methods that are allowed',
    ['storage.api.405-allow'],
    allowing(null),
  ),
  cosmetic('storage.api.405-empty', 'a 405 has an empty Allow', ['storage.api.405-allow'], allowing('')),
  cosmetic(
    'storage.api.405-contradicts',
    'a 405 names the method that it refuses',
    ['storage.api.405-allow'],
    allowing('GET, HEAD, POST, PUT, DELETE, OPTIONS'),
  ),
  security(
    'storage.api.any-origin',
    'every page on the web may read the answers of the API',
    ['storage.api.browser-origin'],
    { storage: admitting('POST', () => '*') },
  ),
  security(
    'storage.api.origin-reflected',
    'the API gives permission to whatever Origin asks',
    ['storage.api.browser-origin'],
    { storage: admitting('POST', (origin) => origin) },
  ),
  security(
    'storage.api.preflight-open',
    'the preflight gives permission to whatever Origin asks',
    ['storage.api.browser-origin'],
    { storage: admitting('OPTIONS', (origin) => origin) },
  ),
  security(
    'gateway.api.id',
    'the public gateway tells who the node is',
    ['storage.api.not-on-gateway'],
    onGateway('GET', 'id', () => Response.json({ ID: '12D3KooW' })),
  ),
  security(
    'gateway.api.add',
    'everyone may add through the gateway',
    ['storage.api.not-on-gateway'],
    onGateway('POST', 'add', () => Response.json({ Name: 'blob', Hash: 'Qm', Size: '6' })),
  ),
  security(
    'gateway.api.cat',
    'the gateway passes cat on to the API',
    ['storage.api.not-on-gateway'],
    onGateway('GET', 'cat', () => failure(500, 'invalid path "notacid"')),
  ),
  security(
    'gateway.api.pin',
    'everyone may pin through the gateway',
    ['storage.api.not-on-gateway'],
    onGateway('POST', 'pin/add', () => failure(500, 'invalid path "notacid"')),
  ),
  security(
    'gateway.api.gc',
    'everyone may collect garbage through the gateway',
    ['storage.api.not-on-gateway'],
    onGateway('POST', 'repo/gc', () => new Response('')),
  ),
]
