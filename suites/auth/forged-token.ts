import { createHmac, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import type { RegistryTarget } from '../../harness/target.ts'
import type { Registry } from '../registry.ts'
import { claimsOf, type JsonWebToken, readToken } from './json-web-token.ts'
import type { Issued } from './login.ts'

/** Tokens that a registry must refuse, made from one that it takes or out of nothing. */

type Members = Readonly<Record<string, unknown>>

const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const signingInput = ({ header, payload }: JsonWebToken) => `${segment(header)}.${segment(payload)}`

/** Members replaced; one that is `undefined` is left out. */
export const withPayload = ({ header, payload }: JsonWebToken, changes: Members): JsonWebToken => ({
  header,
  payload: { ...payload, ...changes },
})

export const withHeader = ({ header, payload }: JsonWebToken, changes: Members): JsonWebToken => ({
  header: { ...header, ...changes },
  payload,
})

/** A token without a signature, as `alg` none has it. */
export const unsigned = (token: JsonWebToken, alg: string): string =>
  `${signingInput(withHeader(token, { alg }))}.`

/** A token signed with a shared secret, under the header's own `kid`. */
export function signedWithSecret(token: JsonWebToken, secret: string | Uint8Array): string {
  const input = signingInput(withHeader(token, { alg: 'HS256' }))
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

/** A token signed with RS256. `key` is PEM or a key object. */
export function signedWithKey(token: JsonWebToken, key: string | KeyObject): string {
  const input = signingInput(token)
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}

/** A token of the owner, taken apart; made up from what is known where none can be had or read. */
export async function plausible(registry: Registry, scopes: readonly string[]): Promise<JsonWebToken> {
  const token = await registry
    .as('owner')
    .token(scopes)
    .catch((error: unknown) => {
      if (error instanceof PrerequisiteFailure) return ''
      throw error
    })
  return readToken(token) ?? madeUp(registry.target, scopes)
}

function madeUp(
  { domain = 'registry.example', accounts }: RegistryTarget,
  scopes: readonly string[],
): JsonWebToken {
  const iat = Math.floor(Date.now() / 1000)
  const access = scopes.map((scope) => {
    const [type, name, actions = ''] = scope.split(':')
    return { type, name, actions: actions.split(',') }
  })
  const sub = accounts?.owner?.username ?? 'owner'
  return {
    header: { alg: 'RS256', typ: 'JWT' },
    payload: { sub, iss: domain, aud: domain, iat, exp: iat + 600, access },
  }
}

/**
 * Signs with the registry's own key (signingKey) what is changed in a token of its own. Throws `PrerequisiteFailure`
 * unless the token is taken when nothing is changed: else a refusal would say nothing.
 */
export async function reissuer(
  { signingKey }: RegistryTarget,
  issued: Issued,
  isTaken: (token: string) => Promise<boolean>,
): Promise<(payload: Members) => string> {
  const genuine = claimsOf(issued.token)
  const key = signingKey ?? ''
  if (!(await isTaken(signedWithKey(genuine, key)))) {
    throw new PrerequisiteFailure('a token made with signingKey is refused although nothing is wrong with it')
  }
  return (payload) => signedWithKey(withPayload(genuine, payload), key)
}

const pair = promisify(generateKeyPair)
let foreign: Promise<{ readonly privateKey: KeyObject; readonly publicKey: KeyObject }> | undefined

/** An RSA key that no registry knows; made once. */
export function foreignKey() {
  foreign ??= pair('rsa', { modulusLength: 2048 })
  return foreign
}

/** The bytes that make a public key when they are taken for a shared secret. */
export function publicKeySpellings(pem: string): readonly (string | Uint8Array)[] {
  const key = createPublicKey(pem)
  const spki = key.export({ type: 'spki', format: 'pem' }).toString()
  const pkcs1 = key.export({ type: 'pkcs1', format: 'pem' }).toString()
  return [pem, spki, spki.trimEnd(), pkcs1, key.export({ type: 'spki', format: 'der' })]
}
