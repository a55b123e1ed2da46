import { identify } from './access-token.ts'
import type { PlatformOptions, PlatformToken } from './platform.ts'
import { plant } from './seed.ts'
import { emptyState, type PlatformState } from './state.ts'

function startToken({ token, user, state }: PlatformToken, now: number) {
  return {
    ...identify(token),
    user,
    name: state,
    issued: false,
    createdAt: now,
    updatedAt: now,
    // The first moment there is: the token stays expired wherever a test sets the clock.
    ...(state === 'expired' ? { expiresAt: 0 } : {}),
    ...(state === 'revoked' ? { revokedAt: now } : {}),
  }
}

/** The state that a platform starts with. */
export function startState({ clock, tokens, seed }: PlatformOptions): PlatformState {
  const now = clock.now()
  const state = emptyState(now)
  for (const token of tokens) state.tokens.put(startToken(token, now))
  if (seed) plant(seed, state, clock)
  return state
}
