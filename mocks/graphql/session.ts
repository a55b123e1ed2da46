import { jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../clock.ts'
import { type AccessToken, isLive } from './access-token.ts'
import type { PlatformState } from './state.ts'

const lifetimeSeconds = 8 * 60
const form = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Opens a session for the owner of a personal access token: a JWT of eight minutes, as the SDK takes it for its Bearer. */
export function openSession(state: PlatformState, clock: Clock, token: AccessToken): Promise<string> {
  const issuedAt = Math.floor(clock.now() / 1000)
  return new SignJWT({ type: 'sdk-access', token: token.id })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(token.user)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(state.sessionKey)
}

/** The token behind a session, or undefined when either of them has ended. */
export async function tokenOfSession(
  state: PlatformState,
  clock: Clock,
  jwt: string,
): Promise<AccessToken | undefined> {
  if (!form.test(jwt)) return undefined
  const now = clock.now()
  const verified = await jwtVerify(jwt, state.sessionKey, {
    algorithms: ['HS256'],
    currentDate: new Date(now),
  }).catch(() => undefined)
  const id = verified?.payload['token']
  const token = typeof id === 'string' ? state.tokens.get(id) : undefined
  return token && isLive(token, now) ? token : undefined
}
