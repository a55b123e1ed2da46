import { describe } from 'vitest'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import { may, should } from '../../harness/requirement.ts'
import { tokenOf } from '../../harness/token-service.ts'
import { membersOf } from '../json-member.ts'
import { distributionDocs } from '../specifications.ts'
import { test as base, madeToken } from './login.ts'
import { resourcesOf } from './refusals.ts'
import { form } from './token-bodies.ts'

const responseFields = distributionDocs('auth/oauth')('Response fields', '#response-fields')
const withCredentials = { needs: ['credentials'] } as const

/**
 * `grant` sends a form as OAuth 2 has it; `granted` is the answer to the owner's password. Where nothing of OAuth 2 comes
 * back, the requirement was not exercised.
 */
const test = base
  .extend('grant', ({ login, http, registry, session, repository }) => {
    const { username = '', password = '' } = registry.target.accounts?.owner ?? {}
    const scope = `repository:${repository}:pull,push`
    const common = {
      client_id: 'assay',
      ...(login.service !== undefined && { service: login.service }),
      scope,
    }
    return async (
      fields: Readonly<Record<string, string>> = { grant_type: 'password', username, password },
    ) => {
      const answer = await http.request('POST', login.realm, form({ ...common, ...fields }))
      const members = answer.status === 200 ? membersOf(answer) : {}
      const refresh = members['refresh_token']
      if (typeof refresh === 'string') session.redactor.add(refresh, 'refresh token')
      return { answer, body: members, refresh: typeof refresh === 'string' ? refresh : undefined }
    }
  })
  .extend('granted', async ({ grant, skip }) => {
    const granted = await grant()
    const speaks = ['access_token', 'scope', 'refresh_token'].some((name) => name in granted.body)
    skip(!speaks, `a form with grant_type was answered ${granted.answer.status} without a member of OAuth 2`)
    return granted
  })

describe('OAuth 2', () => {
  test(
    'auth.token.oauth.access-token',
    should('The answer to an OAuth 2 request has access_token', responseFields, withCredentials),
    async ({ granted, present }) => {
      const { body } = granted
      const { access_token: token } = body
      expectThat(
        typeof token === 'string' && token !== '',
        'a member access_token',
        Object.keys(body).join(', '),
      )
      expectStatus(await present(madeToken(token, 'the access token'), 'GET', '/v2/'), 200)
    },
  )

  test(
    'auth.token.oauth.scope',
    should(
      'The answer to an OAuth 2 request says in scope what was granted',
      responseFields,
      withCredentials,
    ),
    async ({ granted, repository }) => {
      const { scope } = granted.body
      expectThat(typeof scope === 'string', 'a member scope that is a string', `${JSON.stringify(scope)}`)
      const resources = resourcesOf(scope).filter(({ name }) => name === repository)
      const actions = new Set(resources.flatMap((resource) => resource.actions))
      expectThat(actions.has('pull') && actions.has('push'), `pull and push on ${repository}`, scope)
    },
  )

  test(
    'auth.token.oauth.refresh-token',
    may(
      'A refresh token comes only for offline access, gives new tokens, and is no access token',
      responseFields,
      withCredentials,
    ),
    async ({ grant, granted, present, registry, skip }) => {
      const { username = '', password = '' } = registry.target.accounts?.owner ?? {}
      const offline = await grant({ grant_type: 'password', username, password, access_type: 'offline' })
      const { refresh } = offline
      if (refresh === undefined) return skip('offline access gives no refresh token')
      expectThat(granted.refresh === undefined, 'no refresh token unless asked for', 'one')
      const { answer } = await grant({ grant_type: 'refresh_token', refresh_token: refresh })
      const issued = madeToken(tokenOf(answer) ?? '', 'the token for the refresh token')
      expectStatus(await present(issued, 'GET', '/v2/'), 200)
      expectStatus(await present(madeToken(refresh, 'the refresh token itself'), 'GET', '/v2/'), 401)
    },
  )
})
