import { expect } from 'vitest'
import { createClock } from '../clock.ts'
import { createPlatform, type PlatformOptions } from './platform.ts'

export const url = 'http://localhost/graphql'

/** The tokens of two users, and two that open nothing. */
export const tokens = {
  ada: 'af_live_ada',
  bob: 'af_live_bob',
  expired: 'af_live_expired',
  revoked: 'af_live_revoked',
} as const

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests compare what comes, whatever it is
  readonly data: any
  readonly errors?: readonly {
    readonly message: string
    readonly extensions: Readonly<Record<string, unknown>>
  }[]
}

/** A POST with a JSON body, signed with a token unless that is empty. */
export function post(
  body: unknown,
  token: string = tokens.ada,
  headers: Readonly<Record<string, string>> = {},
) {
  return new Request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** A platform at a clock that stands still, and a client for it. */
export async function openPlatform(options: Partial<PlatformOptions> = {}) {
  const clock = createClock()
  await clock.set(Date.UTC(2030, 0, 15, 12))
  const platform = await createPlatform({
    clock,
    tokens: [
      { token: tokens.ada, user: 'ada', state: 'valid' },
      { token: tokens.bob, user: 'bob', state: 'valid' },
      { token: tokens.expired, user: 'ada', state: 'expired' },
      { token: tokens.revoked, user: 'ada', state: 'revoked' },
    ],
    ...options,
  })
  const send = (request: Request) => platform.handle(request, {})

  /** The answer to one document; its status is 200 whatever it is. */
  async function ask(query: string, variables: object = {}, token: string = tokens.ada): Promise<Answer> {
    const response = await send(post({ query, variables }, token))
    expect(response.status).toBe(200)
    return (await response.json()) as Answer
  }

  /** The data of a document that must be answered without errors. */
  async function data(query: string, variables: object = {}, token: string = tokens.ada) {
    const answer = await ask(query, variables, token)
    expect(answer.errors).toBeUndefined()
    return answer.data
  }

  /** The code of the first error of a document that must be refused as a whole. */
  async function refusal(query: string, variables: object = {}, token: string = tokens.ada) {
    const answer = await ask(query, variables, token)
    expect(answer).toMatchObject({ data: null, errors: [{}] })
    return answer.errors?.[0]?.extensions['code']
  }

  const pass = (ms: number) => clock.set(clock.now() + ms)
  return { platform, clock, send, ask, data, refusal, pass }
}
