import { accessOf } from './json-web-token.ts'
import {
  basicOf,
  cosmetic,
  interoperability,
  reissuing,
  scopesOf,
  security,
  textOf,
  withClaims,
  withTokenHeader,
} from './seams.faults.ts'

const hour = 3600
const signatureOf = (text: string) => text.split('.')[2] ?? ''

/** The token with another signature, everything else as it was. */
const withSignature = (change: (signature: string) => string) =>
  reissuing((token, text) => textOf(token, change(signatureOf(text))))

const form = [
  interoperability(
    'auth.jwt.compact.padded',
    'the segments of a token carry the padding of base64',
    ['auth.jwt.compact'],
    reissuing((_, text) => text.replaceAll('.', '==.')),
  ),
  interoperability(
    'auth.jwt.compact.standard-base64',
    'a token is in standard base64, with + and /',
    ['auth.jwt.compact'],
    reissuing((_, text) => text.replaceAll('-', '+').replaceAll('_', '/')),
  ),
  interoperability(
    'auth.jwt.compact.opaque',
    'the token is a word without meaning',
    ['auth.jwt.compact'],
    reissuing((_, text) => signatureOf(text).slice(0, 40)),
    'presents the token as it is: to a client it is opaque',
  ),
  interoperability(
    'auth.jwt.compact.five-segments',
    'the token has five segments, as an encrypted one has',
    ['auth.jwt.compact'],
    reissuing((_, text) => `${text}.aXY.dGFn`),
  ),
  interoperability(
    'auth.jwt.compact.no-json',
    'the first segment of the token is a word',
    ['auth.jwt.compact'],
    reissuing((_, text) => text.replace(/^[^.]+/, 'word')),
  ),
  security(
    'auth.jwt.compact.unsigned',
    'the third segment of the token is empty',
    ['auth.jwt.compact', 'auth.jwt.signature'],
    withSignature(() => ''),
  ),
  security(
    'auth.jwt.alg.hs256',
    'tokens are signed with the shared secret, by HS256',
    ['auth.jwt.alg', 'auth.jwt.signature'],
    withTokenHeader((header) => ({ ...header, alg: 'HS256' })),
  ),
  interoperability(
    'auth.jwt.alg.rs512',
    'tokens name RS512 as their algorithm',
    ['auth.jwt.alg', 'auth.jwt.signature'],
    withTokenHeader((header) => ({ ...header, alg: 'RS512' })),
  ),
  cosmetic(
    'auth.jwt.typ.none',
    'the header has no typ',
    ['auth.jwt.typ'],
    withTokenHeader(({ typ: _, ...header }) => header),
  ),
  cosmetic(
    'auth.jwt.typ.at-jwt',
    'the header has typ at+jwt',
    ['auth.jwt.typ'],
    withTokenHeader((header) => ({ ...header, typ: 'at+jwt' })),
  ),
  interoperability(
    'auth.jwt.key-hint.none',
    'nothing in the header says which key signed',
    ['auth.jwt.key-hint'],
    withTokenHeader(({ kid: _, ...header }) => header),
  ),
  security(
    'auth.jwt.signature.other',
    'tokens are signed with a key that is not the published one',
    ['auth.jwt.signature'],
    withSignature((signature) => signature.split('').reverse().join('')),
  ),
  security(
    'auth.jwt.secrets.password',
    'the claims hold the password',
    ['auth.jwt.no-secrets'],
    withClaims((_, request) => ({ login: { password: basicOf(request)[1] } })),
  ),
  security(
    'auth.jwt.secrets.encoded',
    'the claims hold the password in base64',
    ['auth.jwt.no-secrets'],
    withClaims((_, request) => ({ secret: Buffer.from(basicOf(request)[1]).toString('base64') })),
  ),
  security(
    'auth.jwt.secrets.pem',
    'the header brings the private key along as PEM',
    ['auth.jwt.no-secrets'],
    withTokenHeader((header) => ({ ...header, key: '-----BEGIN PRIVATE KEY-----' })),
  ),
  security(
    'auth.jwt.secrets.jwk',
    'the header brings the key along with its private part',
    ['auth.jwt.no-secrets'],
    withTokenHeader((header) => ({ ...header, jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB', d: 'c2VjcmV0' } })),
  ),
]

const claims = [
  interoperability(
    'auth.jwt.sub.none',
    'the token names nobody',
    ['auth.jwt.sub'],
    withClaims(() => ({ sub: undefined })),
  ),
  interoperability(
    'auth.jwt.sub.number',
    'sub is the number of the account, not its name',
    ['auth.jwt.sub'],
    withClaims(() => ({ sub: '1001' })),
  ),
  interoperability(
    'auth.jwt.iss.other',
    'iss is the name of the product, not the domain',
    ['auth.jwt.iss'],
    withClaims(() => ({ iss: 'registry-token-issuer' })),
  ),
  interoperability(
    'auth.jwt.iss.url',
    'iss is the domain as a URL',
    ['auth.jwt.iss'],
    withClaims(({ iss }) => ({ iss: `https://${iss}` })),
  ),
  interoperability(
    'auth.jwt.iss.none',
    'there is no iss',
    ['auth.jwt.iss'],
    withClaims(() => ({ iss: undefined })),
  ),
  interoperability(
    'auth.jwt.aud.other',
    'aud is the name of a service, not the domain',
    ['auth.jwt.aud'],
    withClaims(() => ({ aud: 'container-registry' })),
  ),
  security(
    'auth.jwt.aud.none',
    'there is no aud',
    ['auth.jwt.aud'],
    withClaims(() => ({ aud: undefined })),
  ),
  security(
    'auth.jwt.aud.empty',
    'aud is an empty array',
    ['auth.jwt.aud'],
    withClaims(() => ({ aud: [] })),
  ),
  interoperability(
    'auth.jwt.exp.milliseconds',
    'exp is in milliseconds, which is a token for millennia',
    ['auth.jwt.exp', 'auth.jwt.lifetime', 'auth.token.expires-in-true'],
    withClaims(({ exp }) => ({ exp: Number(exp) * 1000 })),
  ),
  interoperability(
    'auth.jwt.exp.text',
    'exp is a string',
    ['auth.jwt.exp'],
    withClaims(({ exp }) => ({ exp: String(exp) })),
  ),
  security(
    'auth.jwt.exp.none',
    'there is no exp',
    ['auth.jwt.exp', 'auth.jwt.lifetime'],
    withClaims(() => ({ exp: undefined })),
  ),
  interoperability(
    'auth.jwt.exp.past',
    'a token has expired when it is issued',
    ['auth.jwt.exp', 'auth.jwt.lifetime'],
    withClaims(({ iat }) => ({ exp: Number(iat) - 1 })),
  ),
  interoperability(
    'auth.jwt.clock-behind',
    'the clock of the token service is a day behind: a token has expired when it is issued',
    ['auth.jwt.exp'],
    withClaims(({ exp, iat }) => ({ exp: Number(exp) - 24 * hour, iat: Number(iat) - 24 * hour })),
  ),
  interoperability(
    'auth.jwt.iat.milliseconds',
    'iat is in milliseconds',
    ['auth.jwt.iat', 'auth.jwt.exp'],
    withClaims(({ iat }) => ({ iat: Number(iat) * 1000 })),
  ),
  interoperability(
    'auth.jwt.iat.fraction',
    'iat has a fraction',
    ['auth.jwt.iat'],
    withClaims(({ iat }) => ({ iat: Number(iat) + 0.25 })),
  ),
  interoperability(
    'auth.jwt.iat.future',
    'iat is a minute ahead',
    ['auth.jwt.iat'],
    withClaims(({ iat }) => ({ iat: Number(iat) + 60 })),
    'does not compare the times of a token with its own clock',
  ),
  interoperability(
    'auth.jwt.nbf.future',
    'a token becomes valid a minute after it was issued',
    ['auth.jwt.nbf'],
    withClaims(({ iat }) => ({ nbf: Number(iat) + 60 })),
  ),
  interoperability(
    'auth.jwt.nbf.text',
    'nbf is a string',
    ['auth.jwt.nbf'],
    withClaims(({ iat }) => ({ nbf: new Date(Number(iat) * 1000).toISOString() })),
  ),
  security(
    'auth.jwt.jti.same',
    'all tokens have one jti',
    ['auth.jwt.jti'],
    withClaims(() => ({ jti: '00000000-0000-4000-8000-000000000000' })),
  ),
  security(
    'auth.jwt.lifetime.years',
    'a token lives for ten years',
    ['auth.jwt.lifetime', 'auth.token.expires-in-true'],
    withClaims(({ iat }) => ({ exp: Number(iat) + 10 * 365 * 24 * hour })),
  ),
  interoperability(
    'auth.jwt.lifetime.seconds',
    'a token lives for 30 seconds, less than clients take for granted',
    ['auth.jwt.lifetime', 'auth.token.expires-in-true'],
    withClaims(({ iat }) => ({ exp: Number(iat) + 30 })),
    'gets a new token when it is refused, once',
  ),
]

const access = [
  interoperability(
    'auth.jwt.access.actions-text',
    'the actions are one string, "pull,push"',
    ['auth.jwt.access'],
    withClaims((payload) => ({
      access: entriesOf(payload).map((entry) => ({ ...entry, actions: entry.actions.join() })),
    })),
  ),
  interoperability(
    'auth.jwt.access.object',
    'access is an object by repository instead of an array',
    ['auth.jwt.access'],
    withClaims((payload) => ({
      access: Object.fromEntries(entriesOf(payload).map(({ name, actions }) => [name, actions])),
    })),
  ),
  interoperability(
    'auth.jwt.access.none',
    'the token has no access',
    ['auth.jwt.access', 'auth.token.scope-pull-push'],
    withClaims(() => ({ access: undefined })),
  ),
  interoperability(
    'auth.jwt.access.scopes',
    'the entries of access are scopes in text',
    ['auth.jwt.access'],
    withClaims((payload) => ({
      access: entriesOf(payload).map(({ type, name, actions }) => `${type}:${name}:${actions}`),
    })),
  ),
  interoperability(
    'auth.jwt.access.no-name',
    'an entry has no name',
    ['auth.jwt.access', 'auth.jwt.access-name'],
    withClaims((payload) => ({ access: entriesOf(payload).map((entry) => ({ ...entry, name: '' })) })),
  ),
  interoperability(
    'auth.jwt.access.type',
    'the type of an entry is "repo"',
    ['auth.jwt.access'],
    withClaims((payload) => ({ access: entriesOf(payload).map((entry) => ({ ...entry, type: 'repo' })) })),
  ),
  security(
    'auth.jwt.access.delete',
    'a token for push also holds an action delete',
    ['auth.jwt.access'],
    withClaims((payload) => ({
      access: entriesOf(payload).map((entry) => ({ ...entry, actions: [...entry.actions, 'delete'] })),
    })),
  ),
  interoperability(
    'auth.jwt.access-name.last-component',
    'an entry has only the last component of the name',
    ['auth.jwt.access-name', 'auth.token.scope-pull-push'],
    withClaims((payload) => ({
      access: entriesOf(payload).map((entry) => ({ ...entry, name: entry.name.split('/').at(-1) })),
    })),
  ),
  interoperability(
    'auth.jwt.access-name.encoded',
    'the slashes of a name are percent-encoded',
    ['auth.jwt.access-name', 'auth.token.scope-pull-push'],
    withClaims((payload) => ({
      access: entriesOf(payload).map((entry) => ({ ...entry, name: encodeURIComponent(entry.name) })),
    })),
  ),
  interoperability(
    'auth.jwt.access-name.host',
    'an entry has the host before the name',
    ['auth.jwt.access-name', 'auth.token.scope-pull-push'],
    withClaims((payload) => ({
      access: entriesOf(payload).map((entry) => ({ ...entry, name: `registry.example/${entry.name}` })),
    })),
  ),
  cosmetic(
    'auth.jwt.access-entry.per-scope',
    'a repository that is asked for in two scopes stands in access twice',
    ['auth.jwt.access-entry'],
    withClaims((_, request) => ({ access: scopesOf(request) })),
  ),
  cosmetic(
    'auth.jwt.access-entry.per-action',
    'each action has an entry of its own',
    ['auth.jwt.access-entry', 'auth.token.scope-pull-push'],
    withClaims((payload) => ({
      access: entriesOf(payload).flatMap((entry) =>
        entry.actions.map((action) => ({ ...entry, actions: [action] })),
      ),
    })),
  ),
  cosmetic(
    'auth.jwt.access-entry.actions-twice',
    'each action stands in its entry twice',
    ['auth.jwt.access-entry', 'auth.token.scope-pull-push'],
    withClaims((payload) => ({
      access: entriesOf(payload).map((entry) => ({
        ...entry,
        actions: [...entry.actions, ...entry.actions],
      })),
    })),
  ),
]

const entriesOf = (payload: Readonly<Record<string, unknown>>) => accessOf({ header: {}, payload })

export const faults = [...form, ...claims, ...access]
