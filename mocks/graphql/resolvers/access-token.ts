import { type AccessToken, identify, isLive, takeSecret } from '../access-token.ts'
import type { Context } from '../context.ts'
import { badInput, notFound, platformError } from '../errors.ts'
import { newSecret } from '../identifier.ts'
import { openSession } from '../session.ts'
import type { PlatformState } from '../state.ts'

const createdPerDay = 50
const mostAlive = 500
const dayMs = 86_400_000
const longestLifeMs = 10 * 365 * dayMs
const nameForm = /^[A-Za-z0-9 ._-]{1,100}$/

interface LoginArguments {
  readonly data: { readonly personalAccessToken: string; readonly projectId?: string | null }
}

function login(_: unknown, { data }: LoginArguments, { state, clock }: Context): Promise<string> {
  const token = takeSecret(state.tokens, clock, data.personalAccessToken)
  if (!token) {
    // The SDK finds the class of an error by this name.
    throw platformError('Invalid or expired personal access token', 'UNAUTHORIZED', {
      name: 'UnauthorizedError',
    })
  }
  return openSession(state, clock, token)
}

const dayStart = (ms: number) => ms - (ms % dayMs)

/** Tokens of the user that were created since midnight, in UTC, without those that were there from the start. */
const createdToday = (state: PlatformState, user: string, now: number) =>
  state.tokens.of(user).filter(({ createdAt, issued }) => issued && createdAt >= dayStart(now)).length

const alive = (state: PlatformState, user: string, now: number) =>
  state.tokens.of(user).filter((token) => isLive(token, now))

function checkNewToken(name: string, expiresAt: number | null | undefined, context: Context): void {
  const { state, clock, viewer } = context
  const now = clock.now()
  const others = alive(state, viewer(), now)
  if (!nameForm.test(name)) {
    throw badInput('The name of a token has 1 to 100 letters, digits, spaces or . _ -')
  }
  if (others.some((token) => token.name === name)) throw badInput(`There is a token "${name}" already`)
  if (expiresAt != null && (expiresAt <= now || expiresAt > now + longestLifeMs)) {
    throw badInput('expiresAt is in the future, and at most ten years away')
  }
  if (createdToday(state, viewer(), now) >= createdPerDay) {
    throw platformError(`At most ${createdPerDay} tokens are created in a day`, 'RATE_LIMIT_EXCEEDED')
  }
  if (others.length >= mostAlive) {
    throw platformError(`At most ${mostAlive} tokens are alive at once`, 'MAX_TOKENS_EXCEEDED')
  }
}

interface CreateArguments {
  readonly name: string
  readonly expiresAt?: number | null
}

function createPersonalAccessToken(_: unknown, { name, expiresAt }: CreateArguments, context: Context) {
  checkNewToken(name, expiresAt, context)
  const secret = newSecret()
  const now = context.clock.now()
  const token = context.state.tokens.put({
    ...identify(secret),
    user: context.viewer(),
    name,
    issued: true,
    createdAt: now,
    updatedAt: now,
    ...(expiresAt == null ? {} : { expiresAt }),
  })
  return { ...token, token: secret }
}

function deletePersonalAccessToken(_: unknown, { id }: { id: string }, { state, clock, viewer }: Context) {
  const token = state.tokens.get(id)
  if (token?.user !== viewer() || token.revokedAt !== undefined) throw notFound('Token not found')
  const now = clock.now()
  state.tokens.put({ ...token, revokedAt: now, updatedAt: now })
  return true
}

function personalAccessTokens(_: unknown, __: unknown, { state, viewer }: Context): { data: AccessToken[] } {
  return { data: state.tokens.of(viewer()).filter(({ revokedAt }) => revokedAt === undefined) }
}

function apiKeyRateLimit(_: unknown, __: unknown, { state, clock, viewer }: Context) {
  const now = clock.now()
  return {
    remaining: Math.max(0, createdPerDay - createdToday(state, viewer(), now)),
    limit: createdPerDay,
    resetAt: dayStart(now) + dayMs,
    activeTokens: alive(state, viewer(), now).length,
    maxActiveTokens: mostAlive,
  }
}

export const accessTokenResolvers = {
  Query: { personalAccessTokens, apiKeyRateLimit },
  Mutation: { loginWithPersonalAccessToken: login, createPersonalAccessToken, deletePersonalAccessToken },
}
