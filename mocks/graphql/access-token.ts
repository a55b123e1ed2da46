import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Table } from './table.ts'

/** A personal access token as it is kept: the secret itself is nowhere, only its SHA-256. Times are milliseconds. */
export interface AccessToken {
  readonly id: string
  readonly user: string
  readonly name: string
  readonly hash: string
  /** Whether it was created through the API; the others were there from the start. */
  readonly issued: boolean
  readonly createdAt: number
  readonly updatedAt: number
  readonly expiresAt?: number
  readonly revokedAt?: number
  readonly lastUsedAt?: number
}

/** Identifies a secret. The id is cut from the hash, so that one look-up finds the token that a request carries. */
export function identify(secret: string): { readonly id: string; readonly hash: string } {
  const hash = createHash('sha256').update(secret).digest('hex')
  return { id: `pat_${hash.slice(0, 24)}`, hash }
}

/** Whether the token still opens anything at `now`. */
export const isLive = (token: AccessToken, now: number): boolean =>
  token.revokedAt === undefined && (token.expiresAt === undefined || now < token.expiresAt)

/** The live token with this secret, its use noted; undefined when it is unknown, expired or revoked. */
export function takeSecret(
  tokens: Table<AccessToken>,
  clock: Clock,
  secret: string,
): AccessToken | undefined {
  const { id, hash } = identify(secret)
  const token = tokens.get(id)
  if (token?.hash !== hash || !isLive(token, clock.now())) return undefined
  return tokens.put({ ...token, lastUsedAt: clock.now() })
}
