import { createHmac, createPublicKey, verify as isSignedBy, X509Certificate } from 'node:crypto'
import { to } from '../../harness/rewrite.ts'
import { isObject, type JsonWebToken, readToken } from './json-web-token.ts'
import {
  accepting,
  both,
  holds,
  instead,
  inTokenStore,
  interoperability,
  readingToken,
  refusal,
  security,
} from './seams.faults.ts'

const authorization = (request: Request) => request.headers.get('authorization') ?? ''
const anyone = { subject: 'owner', access: [] }

const headerOf = (token: JsonWebToken, name: string) => token.header[name]
const inputOf = (text: string) => text.split('.').slice(0, 2).join('.')
const signatureOf = (text: string) => text.split('.')[2] ?? ''

function isKeyedWith(text: string, secret: string): boolean {
  return createHmac('sha256', secret).update(inputOf(text)).digest('base64url') === signatureOf(text)
}

function isSignedWith(text: string, key: Parameters<typeof createPublicKey>[0] | undefined): boolean {
  if (key === undefined) return false
  const signature = Buffer.from(signatureOf(text), 'base64url')
  return isSignedBy('sha256', Buffer.from(inputOf(text)), createPublicKey(key), signature)
}

function certified(token: JsonWebToken) {
  const [first] = [headerOf(token, 'x5c')].flat()
  return typeof first === 'string'
    ? new X509Certificate(Buffer.from(first, 'base64')).publicKey.export({ type: 'spki', format: 'pem' })
    : undefined
}

/** Takes a token that has something in common with a good one that came before. */
function rememberedBy(mark: (text: string) => string) {
  const good = new Set<string>()
  return inTokenStore(({ verify }) => ({
    async verify(domain, text) {
      const right = await verify(domain, text)
      if (right) good.add(mark(text))
      return right ?? (good.has(mark(text)) ? anyone : undefined)
    },
  }))
}

/** Reads another spelling of a token as the token. */
function respelt(change: (text: string) => string) {
  return inTokenStore(({ verify }) => ({
    verify: async (domain, text) => (await verify(domain, text)) ?? verify(domain, change(text)),
  }))
}

function failing(when: (token: JsonWebToken) => boolean) {
  return instead(
    (request) => {
      const token = readToken(authorization(request).replace(/^Bearer /, ''))
      return token !== undefined && when(token)
    },
    () => refusal(500, 'UNKNOWN'),
  )
}

export const faults = [
  security(
    'auth.verify.signature.not-checked',
    'the signature of a token is not looked at',
    ['auth.verify.tampered-payload', 'auth.verify.tampered-signature', 'auth.verify.wrong-key'],
    accepting(() => true),
  ),
  security(
    'auth.verify.signature.known-to-push',
    'who begins an upload with a token that was changed is let in',
    ['auth.verify.tampered-payload'],
    instead(
      both(to('POST', /\/blobs\/uploads\/$/), (request) => holds(request, 'push')),
      () => new Response(null, { status: 202 }),
    ),
  ),
  security(
    'auth.verify.signature.known',
    'a token is taken when its signature was seen on a good one before',
    ['auth.verify.tampered-payload'],
    rememberedBy(signatureOf),
  ),
  security(
    'auth.verify.signature.empty',
    'a token with an empty signature is taken',
    ['auth.verify.tampered-signature'],
    accepting((_, text) => signatureOf(text) === ''),
  ),
  security(
    'auth.verify.signature.two-segments',
    'a token whose third segment was cut off is taken',
    ['auth.verify.tampered-signature'],
    inTokenStore(({ verify }) => ({
      verify: async (domain, text) =>
        (await verify(domain, text)) ??
        (text.split('.').length === 2 && text.startsWith('eyJ') ? anyone : undefined),
    })),
  ),
  security(
    'auth.verify.signature.length',
    'only the length of the signature is looked at',
    ['auth.verify.tampered-signature', 'auth.verify.wrong-key'],
    accepting((_, text) => signatureOf(text).length === 342),
  ),
  security(
    'auth.verify.signature.beginning',
    'a signature counts when its first half is right',
    ['auth.verify.tampered-signature'],
    rememberedBy((text) => `${inputOf(text)}.${signatureOf(text).slice(0, 171)}`),
  ),
  security(
    'auth.verify.none.taken',
    'a token with alg none is taken',
    ['auth.verify.alg-none'],
    accepting((token) => headerOf(token, 'alg') === 'none'),
  ),
  security(
    'auth.verify.none.spelling',
    'alg none is refused, nOnE is taken',
    ['auth.verify.alg-none'],
    accepting((token) => /^none$/i.test(String(headerOf(token, 'alg'))) && headerOf(token, 'alg') !== 'none'),
  ),
  security(
    'auth.verify.none.empty',
    'a token with an empty alg is taken unsigned',
    ['auth.verify.alg-none'],
    accepting((token) => headerOf(token, 'alg') === ''),
  ),
  security(
    'auth.verify.hs256.any',
    'a token keyed with the public key is taken',
    ['auth.verify.alg-hs256'],
    accepting((token) => headerOf(token, 'alg') === 'HS256'),
  ),
  security(
    'auth.verify.hs256.default-secret',
    'a token keyed with the default secret of a framework is taken',
    ['auth.verify.alg-hs256'],
    accepting((_, text) => isKeyedWith(text, 'secret')),
  ),
  security(
    'auth.verify.hs256.empty-secret',
    'where no secret is configured, a token keyed with an empty one is taken',
    ['auth.verify.alg-hs256'],
    accepting((_, text) => isKeyedWith(text, '')),
  ),
  security(
    'auth.verify.key.jwk',
    'the key is taken from the jwk in the header of the token itself',
    ['auth.verify.wrong-key'],
    accepting((token, text) => {
      const jwk = headerOf(token, 'jwk')
      return isObject(jwk) && isSignedWith(text, { key: jwk, format: 'jwk' })
    }),
  ),
  security(
    'auth.verify.key.x5c',
    'the key is taken from a certificate in the header, whoever signed it',
    ['auth.verify.wrong-key'],
    accepting((token, text) => isSignedWith(text, certified(token))),
  ),
  security(
    'auth.verify.key.unknown-kid',
    'a token is taken unchecked when nobody knows its kid',
    ['auth.verify.wrong-key'],
    accepting((token) => headerOf(token, 'kid') === 'foreign' && headerOf(token, 'jku') !== undefined),
  ),
  security(
    'auth.verify.key.no-kid',
    'a token without kid is taken unchecked',
    ['auth.verify.wrong-key'],
    accepting((token) => headerOf(token, 'kid') === undefined),
  ),
  interoperability(
    'auth.verify.spelling.padding',
    'padding in a token is overlooked',
    ['auth.verify.base64-malleability'],
    respelt((text) => text.replaceAll('=', '')),
  ),
  interoperability(
    'auth.verify.spelling.standard-base64',
    'a token in standard base64 is taken',
    ['auth.verify.base64-malleability'],
    respelt((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ),
  interoperability(
    'auth.verify.spelling.space',
    'white space in a token is overlooked',
    ['auth.verify.base64-malleability'],
    readingToken((request) => {
      const [, first, rest] = /^Bearer (eyJ\S+) (\S+)$/.exec(authorization(request)) ?? []
      return first && rest ? `${first}${rest}` : undefined
    }),
  ),
  interoperability(
    'auth.verify.odd.kid-fails',
    'a kid that is no string makes the registry fail',
    ['auth.verify.odd-header'],
    failing((token) => 'kid' in token.header && typeof headerOf(token, 'kid') !== 'string'),
  ),
  security(
    'auth.verify.odd.kid-path',
    'the kid is used as the path of a file',
    ['auth.verify.odd-header'],
    failing((token) => String(headerOf(token, 'kid')).includes('/')),
  ),
  interoperability(
    'auth.verify.odd.bytes-fail',
    'a token that is not UTF-8 makes the registry fail',
    ['auth.verify.odd-header', 'auth.verify.garbage'],
    instead(
      (request) =>
        /^Bearer [^.]+\.[^.]+\.[^.]+$/.test(authorization(request)) &&
        readToken(authorization(request).slice(7)) === undefined,
      () => refusal(500, 'UNKNOWN'),
    ),
  ),
]
