import type { Answer } from '../../harness/answer.ts'
import { bearerChallenge, type Challenge, parseChallenges } from '../../harness/challenge.ts'
import { expectStatus, Finding } from '../../harness/finding.ts'
import { isObject } from './json-web-token.ts'

/** Every challenge of an answer, from all of its header lines. */
export const challengesOf = (answer: Answer): readonly Challenge[] =>
  answer.headerValues('www-authenticate').flatMap((header) => parseChallenges(header))

export const bearerOf = (answer: Answer): Challenge | undefined =>
  bearerChallenge(answer.headerValues('www-authenticate'))

/** One of the challenges of the answer has the scheme Bearer; returns it. */
export function expectBearer(answer: Answer): Challenge {
  const challenge = bearerOf(answer)
  if (challenge) return challenge
  const { method, url } = answer
  const seen = answer.header('www-authenticate')
  throw new Finding(
    `a Bearer challenge on ${method} ${new URL(url).pathname}`,
    seen === undefined ? `${answer.status} without WWW-Authenticate` : `WWW-Authenticate: ${seen}`,
  )
}

/** Refused for want of a valid token: 401 with a Bearer challenge. */
export function expectUnauthorized(answer: Answer): void {
  expectStatus(answer, 401)
  expectBearer(answer)
}

/** Refused because a valid token does not allow it; what may not be seen may also be hidden (RFC 9110, 15.5.4). */
export const expectDenied = (answer: Answer): void => expectStatus(answer, 401, 403, 404)

/** A resource of a scope: https://distribution.github.io/distribution/spec/auth/scope/#resource-scope-grammar */
export interface ResourceScope {
  readonly type: string
  readonly name: string
  readonly actions: readonly string[]
}

const resourceScope = /^([a-z0-9]+(?:\([a-z0-9]+\))?):([^\s"]+):((?:[a-z]+|\*)(?:,(?:[a-z]+|\*))*)$/

/** The resources of a scope; those that do not follow the grammar are left out. */
export const resourcesOf = (scope: string): readonly ResourceScope[] =>
  scope.split(' ').flatMap((text) => {
    const [, type, name, actions] = resourceScope.exec(text) ?? []
    return type && name && actions ? [{ type, name, actions: actions.split(',') }] : []
  })

interface RegistryError {
  readonly code: string
  readonly message: string
}

/** The entries of `errors` in a body; none where it is no such JSON. */
export function errorsOf(answer: Answer): readonly RegistryError[] {
  try {
    const { errors } = answer.json() as { errors?: unknown }
    return Array.isArray(errors)
      ? errors.filter(isObject).map(({ code, message }) => ({ code: `${code}`, message: `${message}` }))
      : []
  } catch {
    return []
  }
}
