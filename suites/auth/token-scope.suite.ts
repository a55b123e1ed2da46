import { describe } from 'vitest'
import { emptyConfig } from '../../fixtures/config.ts'
import { artifactManifest } from '../../fixtures/manifest.ts'
import { expectRefusal, expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { memberOf } from '../json-member.ts'
import { locationOf, withDigest } from '../push.ts'
import { distributionDocs, theService } from '../specifications.ts'
import { followed } from './followed.ts'
import { type AccessEntry, accessOf, actionsOn, claimsOf } from './json-web-token.ts'
import { type Issued, type Present, test } from './login.ts'
import { expectDenied } from './refusals.ts'

const tokens = theService('Tokens', '#tokens')
const example = distributionDocs('auth/token')('Example', '#example')
const scopePage = distributionDocs('auth/scope')
const grammar = scopePage('Resource Scope Grammar', '#resource-scope-grammar')
const withCredentials = { needs: ['credentials'] } as const
const octets = { 'content-type': 'application/octet-stream' }

const shown = (entries: readonly AccessEntry[]) =>
  entries.length === 0
    ? 'no access'
    : entries.map(({ type, name, actions }) => `${type}:${name}:${actions}`).join(' ')

describe('What a token is asked for', () => {
  test(
    'auth.token.scope-pull-push',
    must(
      'A token for pull and push has one entry with both actions on the repository, and does both',
      tokens,
      {
        needs: ['credentials', 'push'],
      },
    ),
    async ({ login, present, repository, content }) => {
      const issued = await login.issue({ scopes: [`repository:${repository}:pull,push`] })
      const entries = accessOf(claimsOf(issued.token))
      const [entry] = entries
      const right = entry?.type === 'repository' && entry.name === repository && entries.length === 1
      expectThat(right, `one entry, for repository:${repository}`, shown(entries))
      expectThat([...entry.actions].sort().join() === 'pull,push', 'pull and push', shown(entries))
      const manifest = artifactManifest({ artifactType: content.name('application/vnd.assay'), layers: [] })
      const session = await present(issued, 'POST', `/v2/${repository}/blobs/uploads/`)
      expectStatus(session, 202)
      const url = withDigest(locationOf(session), emptyConfig.digest)
      expectStatus(await present(issued, 'PUT', url, { headers: octets, body: emptyConfig }), 201)
      const path = `/v2/${repository}/manifests/pushed`
      const headers = { 'content-type': manifest.mediaType }
      expectStatus(await present(issued, 'PUT', path, { headers, body: manifest }), 201)
      const options = { headers: { accept: manifest.mediaType } }
      expectStatus(await followed(present, issued, { method: 'GET', path, options }), 200)
    },
  )

  test(
    'auth.token.scope-intersection',
    must('The access of a token exceeds neither what was asked for nor what the account may do', example, {
      needs: ['credentials', 'push'],
    }),
    async ({ login, present, repository, run }) => {
      const both = [`repository:${repository}:pull,push`]
      const offered = (account: 'reader' | 'stranger') =>
        run.capabilities[account]?.offered ? [account] : []
      const cases = [
        { account: 'owner' as const, scopes: [`repository:${repository}:pull`], most: ['pull'] },
        { account: 'owner' as const, scopes: [], most: [] },
        ...offered('reader').map((account) => ({ account, scopes: both, most: ['pull'] })),
        ...offered('stranger').map((account) => ({ account, scopes: both, most: [] })),
      ]
      for (const { most, ...asking } of cases) {
        const issued = await login.issue(asking)
        const entries = accessOf(claimsOf(issued.token))
        const within = entries.every(({ actions }) =>
          actions.every((action) => most.some((one) => one === action)),
        )
        const whose = `${asking.account}, asked for ${asking.scopes.join(' ') || 'nothing'}`
        expectThat(within, `at most ${most.join() || 'no access'} for ${whose}`, shown(entries))
        expectDenied(await present(issued, 'POST', `/v2/${repository}/blobs/uploads/`))
      }
    },
  )

  test(
    'auth.token.scope-push-only',
    should(
      'A token holds no more than what was asked for: push without pull, and pull without push',
      example,
      withCredentials,
    ),
    async ({ login, repository }) => {
      for (const action of ['push', 'pull']) {
        const token = claimsOf((await login.issue({ scopes: [`repository:${repository}:${action}`] })).token)
        const actions = actionsOn(token, repository)
        expectThat(
          actions.every((one) => one === action),
          `${action} alone`,
          actions.join(),
        )
        expectThat(
          accessOf(token).every(({ name }) => name === repository),
          repository,
          shown(accessOf(token)),
        )
      }
    },
  )

  test(
    'auth.token.scope-multiple',
    should(
      'Several scopes are all honoured: as parameters of GET, and as a list in POST',
      scopePage('Authorization Server Use', '#authorization-server-use'),
      {
        needs: ['credentials', 'push'],
      },
    ),
    async ({ login, present, registry }) => {
      const names = [registry.repository('one'), registry.repository('other')]
      const scopes = names.map((name) => `repository:${name}:pull,push`)
      for (const issued of await login.issueEachWay({ scopes })) {
        for (const name of names) {
          const { status } = await present(issued, 'POST', `/v2/${name}/blobs/uploads/`)
          expectThat(status === 202, `202 on ${name} with a token from ${issued.way}`, `${status}`)
        }
      }
    },
  )

  test(
    'auth.token.scope-port-in-name',
    should('A repository name with host and port is read as one name', grammar, withCredentials),
    async ({ login, repository, run }) => {
      await login.issue()
      const name = `registry.example:5000/${repository}`
      const scopes = [`repository:${name}:pull`]
      const answer = await login.ask(run.access.tokenRequest ?? 'get-basic', { scopes })
      if (answer.status !== 200) return expectRefusal(answer)
      const entries = accessOf(claimsOf((await login.issue({ scopes })).token))
      expectThat(
        entries.every((entry) => entry.name === name),
        `no name but ${name}`,
        shown(entries),
      )
    },
  )

  test(
    'auth.token.subset-not-error',
    should('Asking for more than the account may do is no error: the token comes without it', example, {
      needs: ['credentials', 'stranger'],
    }),
    async ({ login, repository, run }) => {
      const way = run.access.tokenRequest ?? 'get-basic'
      const answer = await login.ask(way, {
        account: 'stranger',
        scopes: [`repository:${repository}:pull,push`],
      })
      expectStatus(answer, 200)
      const token = memberOf(answer, 'token') ?? memberOf(answer, 'access_token') ?? ''
      const actions = actionsOn(claimsOf(String(token)), repository)
      expectThat(actions.length === 0, `no access of stranger to ${repository}`, actions.join())
    },
  )

  test(
    'auth.token.scope-unknown',
    should(
      'Resource types and actions that nobody knows are left out of the token',
      scopePage('Resource Type', '#resource-type'),
      withCredentials,
    ),
    async ({ login, repository, run }) => {
      await login.issue()
      const scopes = [`repository:${repository}:pull,fly`, `planet:${repository}:pull`]
      const answer = await login.ask(run.access.tokenRequest ?? 'get-basic', { scopes })
      if (answer.status !== 200) return expectRefusal(answer)
      const entries = accessOf(claimsOf((await login.issue({ scopes })).token))
      const known = entries.every(({ type, actions }) => type !== 'planet' && !actions.includes('fly'))
      expectThat(known, 'neither planet nor fly', shown(entries))
    },
  )

  test(
    'auth.token.scope-malformed',
    should('A malformed scope is refused or ignored, and never widens the access', grammar, withCredentials),
    async ({ login, present, repository, run }) => {
      await login.issue()
      const way = run.access.tokenRequest ?? 'get-basic'
      const name = repository
      const malformed = [
        'repository',
        `repository:${name}`,
        'repository::pull',
        'repository:*:pull',
        `repository:${name}/*:pull,push`,
      ]
      const scopes = [
        ...malformed,
        `repository:${name}:*`,
        ':::',
        `repository:${name}:pull,push;`,
        'x'.repeat(8192),
      ]
      for (const scope of scopes) {
        const answer = await login.ask(way, { scopes: [scope] })
        const shownScope = scope.length > 200 ? `${scope.length} characters` : scope
        expectThat(answer.status < 500, `200 or a refusal of ${shownScope}`, `${answer.status}`)
        if (answer.status === 200)
          await expectNotWidened(await login.issue({ scopes: [scope] }), present, name, shownScope)
      }
    },
  )
})

/** The token holds no wildcard, and cannot push where it was not asked for by name. */
async function expectNotWidened(
  issued: Issued,
  present: Present,
  repository: string,
  scope: string,
): Promise<void> {
  const entries = accessOf(claimsOf(issued.token))
  const wild = entries.some(({ name, actions }) => name.includes('*') || name === '' || actions.includes('*'))
  expectThat(!wild, `no wildcard in the access after ${scope}`, shown(entries))
  const beside = await present(issued, 'POST', `/v2/${repository}-beside/blobs/uploads/`)
  expectDenied(beside)
}
