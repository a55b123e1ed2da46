import { createHmac } from 'node:crypto'
import type { Login, PlatformTokens } from './targets.ts'

/** A key that yields any number of secrets, each by its own name and always the same. */
export type Derive = (name: string) => Buffer

/**
 * Secrets that follow from the signing secret: several processes with the same one have the same logins, and a restart
 * with the same data folder keeps them. The signing secret does not follow from them.
 */
export function deriveFrom(signingSecret: string): Derive {
  return (name) => createHmac('sha256', signingSecret).update(`assay ${name}`).digest()
}

export type AccountName = 'owner' | 'reader' | 'stranger' | 'special'

/** Every kind of character that a client may forget to escape, in a form, a header, a shell or JSON. */
const awkward = `"quoted" 'single' 100%25 a+b c:d\\n&e=f <é€😀> #/?;`

/** The logins of a stack. All passwords match `[A-Za-z0-9_-]+`, but for that of `special`. */
export function logins(derive: Derive): Readonly<Record<AccountName, Login>> {
  const login = (username: AccountName, before = ''): Login => ({
    username,
    password: `${before}${derive(`account ${username}`).toString('base64url').slice(0, 24)}`,
  })
  return {
    owner: login('owner'),
    reader: login('reader'),
    stranger: login('stranger'),
    special: login('special', awkward),
  }
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Personal access tokens in the form of the platform's test tokens. */
export function platformTokens(derive: Derive): PlatformTokens {
  const token = (name: string) =>
    `af_test_${[...derive(`token ${name}`)].map((byte) => base62.charAt(byte % base62.length)).join('')}`
  return {
    valid: token('valid'),
    other: token('other'),
    expired: token('expired'),
    revoked: token('revoked'),
  }
}
