import { describe } from 'vitest'
import type { Answer } from '../../harness/answer.ts'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { pushBlob, withParameter } from '../push.ts'
import { distributionDocs, rfc } from '../specifications.ts'
import { type Attempt, attemptsOn, occupy, readManifest, send } from './attempts.ts'
import { test } from './challenge-fixtures.ts'
import { bearerOf, type ResourceScope, resourcesOf } from './refusals.ts'

const providerUse = distributionDocs('auth/scope')('Resource Provider Use', '#resource-provider-use')
const grammar = distributionDocs('auth/scope')('Resource Scope Grammar', '#resource-scope-grammar')
const howToAuthenticate = distributionDocs('auth/token')('How to authenticate', '#how-to-authenticate')

describe('Scopes of challenges', () => {
  test(
    'auth.challenge.scope',
    should('A challenge on a repository names that repository and the action in its scope', providerUse, {
      needs: ['auth'],
    }),
    async ({ registry, repository, run, skip }) => {
      const anonymous = registry.as('anonymous')
      const attempts = attemptsOn(repository, run)
      const answers = await Promise.all(attempts.map((attempt) => send(anonymous, attempt)))
      const challenged = answers.filter(({ status }) => status === 401).filter(bearerOf)
      skip(challenged.length === 0, 'no request on a repository met a Bearer challenge')
      for (const answer of challenged) {
        const action = ['GET', 'HEAD'].includes(answer.method) ? 'pull' : 'push'
        const wanted = answer.method === 'DELETE' ? ['push', 'delete', '*'] : [action, '*']
        const named = resourcesOf(scopeOf(answer)).some((scope) => allows(scope, repository, wanted))
        expectThat(named, `a scope repository:${repository}:${action}`, seen(answer))
      }
    },
  )

  test(
    'auth.challenge.scope-actions',
    should('A token for exactly the scope of the challenge is enough for the request', howToAuthenticate, {
      needs: ['auth', 'credentials', 'push'],
      uses: ['mount'],
    }),
    async ({ registry, client, repository, content, login, present, run, skip }) => {
      const source = registry.repository('source')
      const occupied = await occupy(client, repository, content)
      const { blob } = occupied
      await pushBlob(client, source, blob)
      const uploads = `/v2/${repository}/blobs/uploads/`
      const mount = withParameter(`${uploads}?mount=${blob.digest}`, 'from', source)
      const anonymous = registry.as('anonymous')
      const tries: readonly (Attempt & { readonly done: readonly number[] })[] = [
        { ...readManifest(occupied), done: [200, 301, 302, 303, 307, 308] },
        { method: 'POST', path: uploads, done: [202] },
        { method: 'POST', path: mount, done: run.capabilities.mount?.offered ? [201] : [201, 202] },
      ]
      const challenges = await Promise.all(tries.map((attempt) => send(anonymous, attempt)))
      skip(!challenges.every(scopeOf), 'not every challenge names a scope')
      for (const [i, { method, path, options, done }] of tries.entries()) {
        const scopes = challenges.slice(i, i + 1).flatMap((answer) => scopeOf(answer).split(' '))
        expectStatus(await present(await login.issue({ scopes }), method, path, options), ...done)
      }
    },
  )

  test(
    'auth.challenge.scope-once',
    must('No attribute of a Bearer challenge, scope among them, appears twice', rfc(6750)('3'), {
      needs: ['auth'],
    }),
    async ({ challenges }) => {
      for (const { challenge, header } of challenges) {
        expectThat(challenge.repeated.length === 0, 'each attribute once', header)
      }
    },
  )

  test(
    'auth.challenge.scope-grammar',
    should('A scope is a list of type:name:actions, and the repository is the one of the request', grammar, {
      needs: ['auth'],
    }),
    async ({ refusals, repository, skip }) => {
      const scoped = refusals.filter(scopeOf)
      skip(scoped.length === 0, 'no challenge names a scope')
      for (const answer of scoped) {
        const parts = scopeOf(answer).split(' ')
        const resources = resourcesOf(scopeOf(answer))
        expectThat(
          resources.length === parts.length,
          'type:name:action[,action], separated by one space',
          seen(answer),
        )
        const onRepository = answer.url.includes(`/v2/${repository}/`)
        const right = resources.every(({ type, name }) => type !== 'repository' || name === repository)
        expectThat(right || !onRepository, `no repository but ${repository}`, seen(answer))
      }
    },
  )
})

const scopeOf = (answer: Answer): string => bearerOf(answer)?.parameters['scope'] ?? ''

const allows = ({ type, name, actions }: ResourceScope, repository: string, wanted: readonly string[]) =>
  /^repository\b/.test(type) && name === repository && actions.some((action) => wanted.includes(action))

const seen = (answer: Answer) =>
  `${answer.method} ${new URL(answer.url).pathname}: WWW-Authenticate: ${answer.header('www-authenticate')}`
