import { describe } from 'vitest'
import { expectStatus, expectThat } from '../../harness/finding.ts'
import { may, should } from '../../harness/requirement.ts'
import { tokenOf } from '../../harness/token-service.ts'
import { distributionDocs } from '../specifications.ts'
import { isObject } from './json-web-token.ts'
import { test as base, made, madeToken } from './login.ts'
import { resourcesOf } from './refusals.ts'
import { form } from './token-bodies.ts'

const responseFields = distributionDocs('auth/oauth')('Response fields', '#response-fields')
const withCredentials = { needs: ['credentials'] } as const

/** `grant` sends a form as OAuth 2 has it; where nothing of OAuth 2 comes back, the requirement was not exercised. */
const test = base.extend('grant', ({ login, http, registry, session, repository, skip }) => {
  const { username = '', password = '' } = registry.target.accounts?.owner ?? {}
  const scope = `repository:${repository}:pull,push`
  const common = { client_id: 'assay', ...(login.service !== undefined && { service: login.service }), scope }
  return async (fields: Readonly<Record<string, string>> = {}) => {
    const request = form({ grant_type: 'password', username, password, ...common, ...fields })
    const answer = await http.request('POST', login.realm, request)
    const parsed: unknown = answer.status === 200 ? answer.json() : {}
    const body = isObject(parsed) ? parsed : {}
    const speaks = ['access_token', 'scope', 'refresh_token'].some((name) => name in body)
    skip(!speaks, `a form with grant_type was answered ${answer.status} without a member of OAuth 2`)
    const refresh = body['refresh_token']
    if (typeof refresh === 'string') session.redactor.add(refresh, 'refresh token')
    return { answer, body, refresh: typeof refresh === 'string' ? refresh : undefined }
  }
})

describe('OAuth 2', () => {
  test(
    'auth.token.oauth.access-token',
    should('The answer to an OAuth 2 request has access_token', responseFields, withCredentials),
    async ({ grant, present }) => {
      const { body } = await grant()
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
    async ({ grant, repository }) => {
      const { scope } = (await grant()).body
      expectThat(typeof scope === 'string', 'a member scope that is a string', `${JSON.stringify(scope)}`)
      const granted = resourcesOf(scope).filter(({ name }) => name === repository)
      const actions = new Set(granted.flatMap((resource) => resource.actions))
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
    async ({ grant, present, skip }) => {
      const { refresh } = await grant({ access_type: 'offline' })
      if (refresh === undefined) return skip('offline access gives no refresh token')
      const online = await grant()
      expectThat(online.refresh === undefined, 'no refresh token unless asked for', 'one')
      const { answer } = await grant({
        grant_type: 'refresh_token',
        refresh_token: refresh,
        username: '',
        password: '',
      })
      expectStatus(answer, 200)
      const issued = made(`Bearer ${tokenOf(answer)}`, 'the token for the refresh token')
      expectStatus(await present(issued, 'GET', '/v2/'), 200)
      expectStatus(await present(madeToken(refresh, 'the refresh token itself'), 'GET', '/v2/'), 401)
    },
  )
})
