import type { Answer } from '../harness/answer.ts'
import type { RecordedCredentials } from '../harness/exchange.ts'
import type { RequestOptions } from '../harness/http.ts'
import type { GraphqlTarget } from '../harness/target.ts'
import { test as base } from '../harness/test.ts'

/** A token of the target file. */
export type TokenName = 'valid' | 'other' | 'expired' | 'revoked'

/** A whole value of the Authorization header; `note` tells a reader what it is. */
export interface Authorization {
  readonly value: string
  readonly note: string
}

export interface Asking {
  /** Whose request it is; `valid` when nothing is said, and no header where that token is not configured. */
  readonly token?: TokenName | Authorization | 'none'
  readonly headers?: Readonly<Record<string, string>>
  readonly accept?: string
}

/** The platform API under test, as one requirement uses it. */
export interface Platform {
  readonly target: GraphqlTarget
  /** Sends a value as JSON, whatever it is: a request, a list of them, or what should be refused. */
  post(body: unknown, asking?: Asking): Promise<Answer>
  /** Sends bytes or text as they are; the media type is JSON unless `headers` say otherwise. */
  send(body: NonNullable<RequestOptions['body']>, asking?: Asking): Promise<Answer>
  /** Any request, with what `parameters` put behind the URL; `asking` gives all of its headers. */
  request(method: string, parameters: string, asking?: Asking, body?: RequestOptions['body']): Promise<Answer>
}

/** `test` for everything that talks to the platform API. */
export const test = base.extend('platform', ({ run, http }): Platform => {
  const target = run.targets.graphql
  if (!target) throw new Error('a requirement on the platform API ran without one')

  const request: Platform['request'] = (method, parameters, asking = {}, body) => {
    const { token = 'valid', headers = {}, accept } = asking
    const presented = present(target, token)
    const url = parameters && target.url.includes('?') ? parameters.replace('?', '&') : parameters
    return http.request(method, `${target.url}${url}`, {
      headers: {
        ...headers,
        ...(accept !== undefined && { accept }),
        ...(presented && { authorization: presented.value }),
      },
      ...(presented && { credentials: presented.recorded }),
      ...(body !== undefined && { body }),
    })
  }
  const send: Platform['send'] = (body, asking = {}) =>
    request(
      'POST',
      '',
      { accept: json, ...asking, headers: { 'content-type': json, ...asking.headers } },
      body,
    )

  return { target, request, send, post: (body, asking) => send(JSON.stringify(body), asking) }
})

const json = 'application/json'

/** The Authorization header of a request, and what a report says of it. */
function present(
  { tokens = {} }: GraphqlTarget,
  token: NonNullable<Asking['token']>,
): { readonly value: string; readonly recorded: RecordedCredentials } | undefined {
  if (token === 'none') return undefined
  if (typeof token === 'object') return { value: token.value, recorded: { kind: 'made', note: token.note } }
  const secret = tokens[token]
  if (secret === undefined) return undefined
  return {
    value: `Bearer ${secret}`,
    recorded: { kind: 'made', account: token, note: 'personal access token' },
  }
}
