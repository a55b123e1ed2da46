import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../clock.ts'
import type { SigningKey } from './signing-key.ts'
import type { Access, Claims, TokenStore } from './stores.ts'

const tokenSeconds = 3600
const refreshSeconds = 30 * 24 * 3600
const remembered = 2000
const compact = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

interface Remembered {
  readonly claims: Claims
  readonly domain: string
  readonly expiresAt: number
}

/** RS256 tokens (specification 2.2). A token that was found good once is not computed again before it expires. */
export function tokenStore({ privateKey, publicKey, id }: SigningKey, clock: Clock): TokenStore {
  const good = new Map<string, Remembered>()
  const seconds = () => Math.floor(clock.now() / 1000)

  async function sign(audience: string, issuer: string, subject: string, lifetime: number, claims: object) {
    const now = seconds()
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: id })
      .setSubject(subject)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetime)
      .setJti(randomUUID())
      .sign(privateKey)
  }

  async function check(token: string, issuer: string, audience: string) {
    if (!isCanonical(token)) return undefined
    try {
      const { payload } = await jwtVerify(token, publicKey, {
        algorithms: ['RS256'],
        issuer,
        audience,
        typ: 'JWT',
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
      throw error
    }
  }

  return {
    async issue(domain, { subject, access }) {
      const issuedAt = seconds() * 1000
      const token = await sign(domain, domain, subject, tokenSeconds, { access })
      return { token, issuedAt, expiresIn: tokenSeconds }
    },
    async verify(domain, token) {
      const known = good.get(token)
      if (known && known.domain === domain && known.expiresAt > seconds()) return known.claims
      const payload = await check(token, domain, domain)
      if (!payload) return undefined
      const claims = { subject: payload.sub ?? '', access: accessOf(payload['access']) }
      for (const oldest of good.keys()) {
        if (good.size < remembered) break
        good.delete(oldest)
      }
      good.set(token, { claims, domain, expiresAt: payload.exp ?? 0 })
      return claims
    },
    issueRefresh: (domain, subject) => sign(refreshAudience(domain), domain, subject, refreshSeconds, {}),
    verifyRefresh: async (domain, token) => (await check(token, domain, refreshAudience(domain)))?.sub,
  }
}

const refreshAudience = (domain: string) => `${domain}/token`

/** One spelling only: no padding, no other alphabet, no stray bits at the end of the signature. */
function isCanonical(token: string): boolean {
  if (token.length > 64 * 1024 || !compact.test(token)) return false
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}

function accessOf(claim: unknown): Access[] {
  if (!Array.isArray(claim)) return []
  return claim.filter(isAccess)
}

function isAccess(entry: unknown): entry is Access {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'type' in entry &&
    typeof entry.type === 'string' &&
    'name' in entry &&
    typeof entry.name === 'string' &&
    'actions' in entry &&
    Array.isArray(entry.actions) &&
    entry.actions.every((action) => typeof action === 'string')
  )
}
