import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { promisify } from 'node:util'
import type { Database } from './database.ts'

export interface SigningKey {
  /** Of the public key: the first 16 bytes of its SHA-256. */
  readonly id: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

class SigningSecretError extends Error {
  readonly code: 'ERR_SIGNING_SECRET_SHORT' | 'ERR_SIGNING_SECRET_WRONG'
  override readonly name = 'SigningSecretError'

  constructor(code: SigningSecretError['code'], message: string) {
    super(message)
    this.code = code
  }
}

const shortest = 32

/** Takes some 250 ms of another thread, so that whoever knows that a key will be needed asks early. */
export const makeKeyPair = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 })

export type KeyPair = Awaited<ReturnType<typeof makeKeyPair>>

/**
 * The key pair of a registry: the first instance makes it and stores it, encrypted under a key derived from the
 * secret; every other instance of the same database reads it.
 */
export async function signingKey(
  { query }: Database,
  secret: string,
  make: () => Promise<KeyPair> = makeKeyPair,
): Promise<SigningKey> {
  if (secret.length < shortest) {
    throw new SigningSecretError(
      'ERR_SIGNING_SECRET_SHORT',
      `the signing secret has ${secret.length} characters; it needs at least ${shortest}`,
    )
  }
  const stored = () => query<{ private_key: string }>('select private_key from signing_key where id = 1')
  let [row] = await stored()
  if (!row) {
    const made = await make()
    const pem = made.privateKey.export({ type: 'pkcs8', format: 'pem' })
    await query(
      'insert into signing_key (id, public_key, private_key) values (1, $1, $2) on conflict (id) do nothing',
      [made.publicKey.export({ type: 'spki', format: 'pem' }).toString(), encrypt(pem.toString(), secret)],
    )
    ;[row] = await stored()
  }
  const privateKey = createPrivateKey(decrypt(row?.private_key ?? '', secret))
  const publicKey = createPublicKey(privateKey)
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return {
    id: createHash('sha256').update(der).digest().subarray(0, 16).toString('base64url'),
    privateKey,
    publicKey,
  }
}

const keyFrom = (secret: string, salt: Buffer) =>
  Buffer.from(hkdfSync('sha256', secret, salt, 'registry signing key', 32))

function encrypt(text: string, secret: string): string {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFrom(secret, salt), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

function decrypt(text: string, secret: string): string {
  const bytes = Buffer.from(text, 'base64')
  const salt = bytes.subarray(0, 16)
  const decipher = createDecipheriv('aes-256-gcm', keyFrom(secret, salt), bytes.subarray(16, 28))
  try {
    decipher.setAuthTag(bytes.subarray(28, 44))
    return Buffer.concat([decipher.update(bytes.subarray(44)), decipher.final()]).toString('utf8')
  } catch {
    throw new SigningSecretError(
      'ERR_SIGNING_SECRET_WRONG',
      'the signing secret is not the one that this database was first used with',
    )
  }
}
