import type { GraphqlRequest } from '../fixtures/graphql-documents.ts'
import type { Answer } from '../harness/answer.ts'
import { expectJson, expectThat } from '../harness/finding.ts'
import { test as base } from '../harness/test.ts'

export type PlatformToken = 'valid' | 'other' | 'expired' | 'revoked'

export interface Platform {
  readonly url: string
  /** Posts a document as JSON, with one of the target's tokens, or without any. */
  post(
    body: GraphqlRequest | string,
    token?: PlatformToken,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
}

/** `test` for everything that talks to the platform API. */
export const test = base.extend('platform', ({ run, http }): Platform => {
  const target = run.targets.graphql
  if (!target) throw new Error('a requirement on the platform ran without one')
  return {
    url: target.url,
    post(body, token, headers = {}) {
      const secret = token && target.tokens?.[token]
      const authorization = secret === undefined ? {} : { authorization: `Bearer ${secret}` }
      return http.request('POST', target.url, {
        headers: { 'content-type': 'application/json', ...authorization, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(token && {
          credentials: { kind: 'made', account: token, note: `the ${token} personal access token` },
        }),
      })
    },
  }
})

export interface GraphqlError {
  readonly message: string
  readonly extensions?: { readonly code?: unknown }
}

export interface GraphqlBody {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly GraphqlError[]
}

/** The body of an answer, which is a JSON object. */
export function bodyOf(answer: Answer): GraphqlBody {
  const body = expectJson(answer)
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  expectThat(isObject, 'a JSON object', JSON.stringify(body).slice(0, 100))
  return body
}

/** The errors of an answer, of which there is at least one. */
export function errorsOf(answer: Answer): readonly GraphqlError[] {
  const { errors } = bodyOf(answer)
  const some = Array.isArray(errors) && errors.length > 0
  expectThat(some, 'a list of errors that is not empty', JSON.stringify(errors) ?? 'no errors')
  return errors as readonly GraphqlError[]
}

/** The answer has no data: the member is null or absent. */
export function expectNoData(answer: Answer): void {
  const { data } = bodyOf(answer)
  expectThat(data === null || data === undefined, 'no data', `data: ${JSON.stringify(data)?.slice(0, 100)}`)
}

/** The data of an answer without errors. */
export function dataOf(answer: Answer): Readonly<Record<string, unknown>> {
  const { data, errors } = bodyOf(answer)
  expectThat(errors === undefined, 'no errors', JSON.stringify(errors)?.slice(0, 200) ?? '')
  expectThat(typeof data === 'object' && data !== null, 'data', JSON.stringify(data) ?? 'no data')
  return data
}
