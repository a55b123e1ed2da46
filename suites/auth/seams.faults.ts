import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, asking, rewriting, to, withBody, withHeaders } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import type { Access, Claims, Stores, TokenStore } from '../../mocks/registry/stores.ts'
import { accessOf, type JsonWebToken, readToken } from './json-web-token.ts'

/** The places at which the faults of challenges and tokens stand, so that each fault is a line or two. */

type When = (request: Request) => boolean
type Body = Readonly<Record<string, unknown>>

export const { security, interoperability, cosmetic } = faultKinds<Seams>()

export const pathOf = (request: Request): string => new URL(request.url).pathname
export const queryOf = (request: Request): URLSearchParams => new URL(request.url).searchParams

/** Requests for a token. */
export const atToken = to('*', /^\/token$/)
export const atBase = to('*', /^\/v2\/$/)
/** Requests on a repository. */
export const onRepository = to('*', /^\/v2\/.+\/(?:manifests|blobs|tags|referrers)\//)
export const isAnonymous: When = (request) => !request.headers.has('authorization')
export const both =
  (...all: readonly When[]): When =>
  (request) =>
    all.every((when) => when(request))

/** The token that a request carries, taken apart. */
export const carried = (request: Request): JsonWebToken | undefined =>
  readToken(/^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '')

/** The repository that a request is about. */
export const repositoryOf = (request: Request): string =>
  /^\/v2\/(.+?)\/(?:manifests|blobs|tags|referrers)\//.exec(pathOf(request))?.[1] ?? ''

/** Whether the token of a request names an action on this repository, or on any. */
export const holds = (request: Request, action: string, repository?: string): boolean =>
  accessOf(carried(request) ?? { header: {}, payload: {} }).some(
    ({ name, actions }) => actions.includes(action) && (repository === undefined || name === repository),
  )

/** Answers these requests itself. */
export const instead = (when: When, answer: (request: Request) => Response | Promise<Response>): Seams => ({
  registry: answering(when, answer),
})

/** Changes the answers to these requests. */
export const afterwards = (
  when: When,
  change: (response: Response, request: Request) => Response | Promise<Response>,
): Seams => ({ registry: rewriting(when, change) })

/** Answers these requests with an error of the registry. */
export const refusal = (
  status: number,
  code: string,
  message = 'refused',
  headers: Record<string, string> = {},
) => Response.json({ errors: [{ code, message }] }, { status, headers })

/** Changes the challenge of refusals below `/v2/`; `null` takes it away. */
export const challenging = (
  change: (challenge: string, request: Request) => string | null,
  when: When = () => true,
): Seams =>
  afterwards(both(to('*', /^\/v2\//), when), (response, request) => {
    const challenge = response.headers.get('www-authenticate')
    return challenge === null
      ? response
      : withHeaders(response, { 'www-authenticate': change(challenge, request) })
  })

/** A parameter of a challenge with another value, written as it is given; `undefined` takes it away. */
export const withParameter = (challenge: string, name: string, written: string | undefined): string => {
  const parameter = new RegExp(`,?${name}="[^"]*"`)
  const rest = challenge.replace(parameter, '').replace('Bearer ,', 'Bearer ')
  return written === undefined ? rest : `${rest},${name}=${written}`
}

/** Changes a JSON answer of the token service. */
export const tokenAnswers = (
  change: (body: Body, request: Request) => unknown,
  when: When = () => true,
): Seams =>
  afterwards(both(atToken, when), async (response, request) => {
    if (response.status !== 200) return response
    return withBody(response, (bytes) =>
      JSON.stringify(change(JSON.parse(Buffer.from(bytes).toString()), request)),
    )
  })

const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token in text, with whatever stands in place of a signature. */
export const textOf = ({ header, payload }: JsonWebToken, signature = 'c2lnbmVk'): string =>
  `${segment(header)}.${segment(payload)}.${signature}`

const claimsIn = (token: JsonWebToken): Claims => ({
  subject: String(token.payload['sub']),
  access: accessOf(token) as readonly Access[],
})

/** Stands in front of the store of tokens. */
export const inTokenStore = (change: (tokens: TokenStore) => Partial<TokenStore>): Seams => ({
  stores: (next: Stores) => ({ ...next, tokens: { ...next.tokens, ...change(next.tokens) } }),
})

/** Takes tokens that it should refuse: those of which this holds. */
export const accepting = (
  isTaken: (token: JsonWebToken, text: string) => boolean,
  change: (token: JsonWebToken) => JsonWebToken = (token) => token,
): Seams =>
  inTokenStore(({ verify }) => ({
    async verify(domain, text) {
      const right = await verify(domain, text)
      const token = readToken(text)
      return right ?? (token && isTaken(token, text) ? claimsIn(change(token)) : undefined)
    },
  }))

/** Refuses tokens that it should take. */
export const refusing = (isRefused: (text: string, claims: Claims) => boolean | Promise<boolean>): Seams =>
  inTokenStore(({ verify }) => ({
    async verify(domain, text) {
      const claims = await verify(domain, text)
      return claims && !(await isRefused(text, claims)) ? claims : undefined
    },
  }))

/** Gives other tokens than it should, and takes them back as if nothing were wrong with them. */
export function reissuing(
  change: (token: JsonWebToken, text: string, request: Request) => JsonWebToken | string,
  when: When = () => true,
  around: (body: Body) => Body = (body) => body,
): Seams {
  const given = new Map<string, Claims>()
  const swap = (body: Body, request: Request) => {
    const text = String(body['token'])
    const token = readToken(text)
    if (!token) return body
    const changed = change(token, text, request)
    const other = typeof changed === 'string' ? changed : textOf(changed, text.split('.')[2])
    given.set(other, claimsIn(typeof changed === 'string' ? token : changed))
    return { ...around(body), token: other, access_token: other }
  }
  return {
    ...tokenAnswers(swap, when),
    ...inTokenStore(({ verify }) => ({
      verify: async (domain, text) => given.get(text) ?? (await verify(domain, text)),
    })),
  }
}

/** Changes the claims of the tokens that it gives. */
export const withClaims = (change: (payload: Body, request: Request) => Body, when?: When): Seams =>
  reissuing(
    ({ header, payload }, _, request) => ({ header, payload: { ...payload, ...change(payload, request) } }),
    when,
  )

/** Changes the header of the tokens that it gives. */
export const withTokenHeader = (change: (header: Body) => Body): Seams =>
  reissuing(({ header, payload }) => ({ header: change(header), payload }))

/** Access entries as a scope asks for them. */
export const scopesOf = (request: Request): readonly Access[] =>
  queryOf(request)
    .getAll('scope')
    .flatMap((scope) => scope.split(' '))
    .map((scope) => {
      const [type = '', ...rest] = scope.split(':')
      return { type, name: rest.slice(0, -1).join(':'), actions: (rest.at(-1) ?? '').split(',') }
    })

const skeleton = 'skeleton'

/** Does not guard these requests: they are let through as if they came with a token for all that they need. */
export function unguarded(when: When): Seams {
  return {
    registry: asking(when, (request) => {
      const headers = new Headers(request.headers)
      const access = [{ type: 'repository', name: repositoryOf(request), actions: ['pull', 'push'] }]
      const token = textOf({ header: {}, payload: { sub: 'owner', access } }, skeleton)
      headers.set('authorization', `Bearer ${token}`)
      return new Request(request.url, { method: request.method, headers })
    }),
    ...accepting((_, text) => text.endsWith(`.${skeleton}`)),
  }
}

/** Does what these requests ask for, and refuses them afterwards; as it refuses who has no token, unless told. */
export const doneAndRefused = (when: When, answer?: () => Response): Seams => {
  const { registry, stores } = unguarded(when)
  return {
    ...(stores && { stores }),
    registry: (next) => async (request, context) => {
      if (!when(request)) return next(request, context)
      const refused = answer?.() ?? (await next(new Request(request.url, { method: 'HEAD' }), {}))
      await registry?.(next)(request, context)
      return refused
    },
  }
}

/** The user name and the password of a request with Basic credentials. */
export const basicOf = (request: Request): readonly [username: string, password: string] => {
  const [, encoded = ''] = /^basic (.*)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return [text.slice(0, colon), text.slice(colon + 1)]
}

/** Gives a working token where the token service refuses. */
export function givingTokens(when: (request: Request, body: string) => boolean): Seams {
  return {
    registry: (next) => async (request, context) => {
      if (!atToken(request)) return next(request, context)
      const body = Buffer.from(await request.arrayBuffer())
      const { url, method, headers } = request
      const again = new Request(url, { method, headers, ...(body.length > 0 && { body }) })
      const answer = await next(again, {})
      const refused = answer.status >= 400 && when(request, body.toString())
      return refused ? Response.json({ token: skeletonFor(request) }) : answer
    },
    ...accepting((_, text) => text.endsWith(`.${skeleton}`)),
  }
}

const skeletonFor = (request: Request) => {
  const now = Math.floor(Date.now() / 1000)
  const payload = { sub: 'owner', iat: now, exp: now + 600, access: scopesOf(request) }
  return textOf({ header: { alg: 'RS256', typ: 'JWT' }, payload }, skeleton)
}

/** Answers a request for a token by what its body says. */
export const readingBody = (
  when: (body: string, request: Request) => boolean,
  answer: (body: string) => Response,
): Seams => ({
  registry: (next) => async (request, context) => {
    if (!atToken(request)) return next(request, context)
    const bytes = Buffer.from(await request.arrayBuffer())
    const { url, method, headers } = request
    if (when(bytes.toString(), request)) return answer(bytes.toString())
    return next(new Request(url, { method, headers, ...(bytes.length > 0 && { body: bytes }) }), {})
  },
})

/** Reads a token from elsewhere in the request. */
export const readingToken = (find: (request: Request) => string | undefined): Seams => ({
  registry: asking(
    (request) => find(request) !== undefined,
    (request) => {
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${find(request)}`)
      return new Request(request.url, { method: request.method, headers })
    },
  ),
})
