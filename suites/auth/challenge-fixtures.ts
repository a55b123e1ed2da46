import type { Challenge } from '../../harness/challenge.ts'
import { attemptsOn, send } from './attempts.ts'
import { test as base } from './login.ts'
import { bearerOf } from './refusals.ts'

/** A Bearer challenge, and the header that it was read from. */
export interface Offered {
  readonly challenge: Challenge
  readonly header: string
}

/**
 * `test` for requirements on challenges: `refusals` are the answers 401 to requests without a token, `challenges` their
 * Bearer challenges. Where there is none, the requirement was not exercised.
 */
export const test = base
  .extend('refusals', async ({ registry, repository, run, skip }) => {
    const anonymous = registry.as('anonymous')
    const requests = [{ method: 'GET', path: '/v2/' }, ...attemptsOn(repository, run)]
    const answers = await Promise.all(requests.map((request) => send(anonymous, request)))
    const refused = answers.filter(({ status }) => status === 401)
    if (refused.length === 0) skip('no request without a token was answered with 401')
    return refused
  })
  .extend('challenges', ({ refusals, skip }): readonly Offered[] => {
    const offered = refusals.flatMap((answer) => {
      const challenge = bearerOf(answer)
      const { method, url } = answer
      const header = `WWW-Authenticate: ${answer.header('www-authenticate')} on ${method} ${new URL(url).pathname}`
      return challenge ? [{ challenge, header }] : []
    })
    if (offered.length === 0) skip('the registry offers no Bearer challenge')
    return offered
  })
