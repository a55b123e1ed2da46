import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const bytes = 32

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Answers whether a password is right. An unknown name takes as long to refuse as a wrong password. */
export type PasswordCheck = (credentials: Credentials) => Promise<boolean>

/**
 * Keeps salted scrypt hashes only; they are made at the first login, all at once, so that its time tells nothing. A password that was found right once is remembered as an HMAC under a key of this
 * process, so that the tokens of a busy client cost no scrypt each.
 */
export function passwordCheck(accounts: readonly Credentials[]): PasswordCheck {
  const key = randomBytes(bytes)
  const remembered = new Map<string, Buffer>()
  let hashing: ReturnType<typeof hashAll> | undefined

  return async ({ username, password }) => {
    const seal = createHmac('sha256', key).update(password).digest()
    const before = remembered.get(username)
    if (before && timingSafeEqual(before, seal)) return true
    hashing ??= hashAll(accounts)
    const { hashes, nobody } = await hashing
    const known = hashes.get(username)
    const { salt, hashed } = known ?? nobody
    const right = timingSafeEqual(hashed, await derive(password, salt, bytes)) && known !== undefined
    if (right) remembered.set(username, seal)
    return right
  }
}

async function hashAll(accounts: readonly Credentials[]) {
  const named = async ({ username, password }: Credentials) => [username, await hash(password)] as const
  const nobody = hash(randomBytes(bytes).toString('hex'))
  return { hashes: new Map(await Promise.all(accounts.map(named))), nobody: await nobody }
}

async function hash(password: string): Promise<{ salt: Buffer; hashed: Buffer }> {
  const salt = randomBytes(16)
  return { salt, hashed: await derive(password, salt, bytes) }
}
