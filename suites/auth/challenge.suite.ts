import { describe } from 'vitest'
import type { Answer } from '../../harness/answer.ts'
import { expectHeader, expectRefusal, expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import type { RunContext } from '../../harness/run-context.ts'
import { askForToken } from '../../harness/token-service.ts'
import { isLoopback } from '../../harness/transport.ts'
import { need } from '../push.ts'
import { distributionDocs, rfc, theService } from '../specifications.ts'
import { attemptsOn, expectUntouched, occupy, readsOf, send, writesOf } from './attempts.ts'
import { test } from './challenge-fixtures.ts'
import { actionsOn, readToken } from './json-web-token.ts'
import { made, madeToken } from './login.ts'
import { bearerOf, challengesOf, errorsOf, expectBearer, resourcesOf } from './refusals.ts'

const authentication = theService('Registry authentication', '#registry-authentication')
const registryApi = theService('Registry API', '#registry-api')
const errors = theService('Errors', '#errors')
const howToAuthenticate = distributionDocs('auth/token')('How to authenticate', '#how-to-authenticate')
const providerUse = distributionDocs('auth/scope')('Resource Provider Use', '#resource-provider-use')

describe('Challenges', () => {
  test(
    'auth.challenge.401',
    must('A request without a valid token answers 401', authentication, { needs: ['auth'] }),
    async ({ registry, repository, run, skip }) => {
      const { profile } = run.selection
      const anonymous = registry.as('anonymous')
      const base = await anonymous.get('/v2/')
      const readable = base.status === 200 && !run.capabilities.private?.offered
      skip(profile === 'oci' && readable, 'anyone may read here, so GET /v2/ need not be refused')
      expectStatus(base, 401)
      const allowed = profile === 'oci' ? [400, 401, 403, 404, 405] : [401]
      for (const request of attemptsOn(repository, run)) {
        expectStatus(await send(anonymous, request), ...allowed)
      }
    },
  )

  test(
    'auth.challenge.header',
    must('Every answer 401 has WWW-Authenticate, whatever the method of the request', rfc(9110)('15.5.2'), {
      needs: ['auth'],
    }),
    async ({ refusals }) => {
      for (const answer of refusals) expectHeader(answer, 'www-authenticate', /\S/)
    },
  )

  test(
    'auth.challenge.bearer',
    must('A 401 to a request without a token offers the scheme Bearer', registryApi, { needs: ['auth'] }),
    async ({ refusals, run, skip }) => {
      const schemes = refusals.flatMap(challengesOf).map(({ scheme }) => scheme.toLowerCase())
      const basicOnly = schemes.length > 0 && schemes.every((scheme) => scheme === 'basic')
      skip(
        run.selection.profile === 'oci' && basicOnly,
        'the registry offers Basic alone, which OCI Distribution leaves to it',
      )
      for (const answer of refusals) expectBearer(answer)
    },
  )

  test(
    'auth.challenge.realm',
    must('A Bearer challenge has a realm that is not empty', registryApi, { needs: ['auth'] }),
    async ({ challenges }) => {
      for (const { challenge, header } of challenges) {
        expectThat(!!challenge.parameters['realm'], 'a Bearer challenge with a realm', header)
      }
    },
  )

  test(
    'auth.challenge.realm-https',
    should(
      'A registry behind https names an https realm, so that no password goes in clear text',
      rfc(6750)('5.2'),
      {
        needs: ['auth', 'https'],
      },
    ),
    async ({ challenges }) => {
      for (const { challenge, header } of challenges) {
        expectThat(/^https:/i.test(challenge.parameters['realm'] ?? ''), 'an https realm', header)
      }
    },
  )

  test(
    'auth.challenge.realm-quoted',
    must('The realm is sent as a quoted string', rfc(9110)('11.5'), { needs: ['auth'] }),
    async ({ challenges, skip }) => {
      const named = challenges.filter(({ challenge }) => challenge.parameters['realm'] !== undefined)
      skip(named.length === 0, 'no Bearer challenge has a realm')
      for (const { challenge, header } of named) {
        expectThat(challenge.quoted.includes('realm'), 'realm="…" in double quotes', header)
      }
    },
  )

  test(
    'auth.challenge.realm-url',
    should(
      'The realm is an http(s) URL that a client can reach, and a token service answers there',
      howToAuthenticate,
      {
        needs: ['auth'],
      },
    ),
    async ({ challenges, http, registry }) => {
      const named = new Map(
        challenges.map(({ challenge: { parameters } }) => [parameters['realm'] ?? '', parameters]),
      )
      for (const [realm, { service }] of named) {
        const isUrl = URL.canParse(realm) && /^https?:/i.test(realm)
        expectThat(isUrl, 'an absolute http(s) URL as realm', `"${realm}"`)
        const internal = isLoopback(realm) && !isLoopback(registry.target.url)
        expectThat(!internal, 'a realm that other machines can reach', realm)
        const question = { realm, scopes: [], ...(service !== undefined && { service }) }
        const { status } = await askForToken(http, 'get-basic', question)
        expectThat(status < 500 && status !== 404, `a token service at ${realm}`, `${status}`)
      }
    },
  )

  test(
    'auth.challenge.service',
    should('A Bearer challenge names its audience in service', providerUse, { needs: ['auth'] }),
    async ({ challenges }) => {
      for (const { challenge, header } of challenges) {
        expectThat(!!challenge.parameters['service'], 'a Bearer challenge with a service', header)
      }
    },
  )

  test(
    'auth.challenge.all-endpoints',
    must('No endpoint serves or changes a private repository without a token', errors, {
      needs: ['auth', 'private', 'push'],
    }),
    async ({ registry, client, repository, content }) => {
      const anonymous = registry.as('anonymous')
      const occupied = await occupy(client, repository, content)
      const attempts = [...readsOf(occupied), ...writesOf(occupied, content.bytes(128))]
      for (const attempt of attempts) expectRefusal(await send(anonymous, attempt))
      const catalog = await anonymous.get('/v2/_catalog')
      expectThat(!catalog.text().includes(repository), `no ${repository} in the catalogue`, catalog.text())
      await expectUntouched(client, occupied)
    },
  )

  test(
    'auth.challenge.head',
    must('HEAD is guarded and challenged like GET', errors, { needs: ['auth', 'private', 'push'] }),
    async ({ registry, client, repository, content }) => {
      const anonymous = registry.as('anonymous')
      const { manifest, blob, tag } = await occupy(client, repository, content)
      for (const path of [`manifests/${tag}`, `manifests/${manifest.digest}`, `blobs/${blob.digest}`]) {
        const get = await anonymous.get(`/v2/${repository}/${path}`)
        expectRefusal(get)
        const head = await anonymous.head(`/v2/${repository}/${path}`)
        expectStatus(head, get.status)
        expectThat(
          !!bearerOf(head) === !!bearerOf(get),
          `the challenge of GET: ${get.header('www-authenticate')}`,
          `WWW-Authenticate: ${head.header('www-authenticate')}`,
        )
      }
    },
  )

  test(
    'auth.challenge.body',
    should('The body of a 401 is JSON with the code UNAUTHORIZED', howToAuthenticate, { needs: ['auth'] }),
    async ({ refusals, repository, skip }) => {
      const onRepository = refusals.filter(({ method, url }) => method !== 'HEAD' && url.includes(repository))
      skip(onRepository.length === 0, 'no request on a repository was answered with 401')
      for (const answer of onRepository) {
        expectHeader(answer, 'content-type', /^application\/(?:[\w.-]+\+)?json\b/i)
        expectThat(
          errorsOf(answer).some(({ code }) => code === 'UNAUTHORIZED'),
          'an error with the code UNAUTHORIZED',
          answer.text(),
        )
      }
    },
  )

  test(
    'auth.challenge.no-oracle',
    should('A caller without access cannot tell what exists from what does not', rfc(9110)('15.5.4'), {
      needs: ['auth', 'private', 'push'],
    }),
    async ({ registry, client, repository, content, run }) => {
      const { tag, blob } = await occupy(client, repository, content)
      const absent = content.bytes(64).digest
      const pairs = [
        [`${repository}/manifests/${tag}`, `${repository}/manifests/absent`],
        [`${repository}/blobs/${blob.digest}`, `${repository}/blobs/${absent}`],
        [`${repository}/tags/list`, `${registry.repository('absent')}/tags/list`],
      ] as const
      for (const account of ['anonymous', ...strangers(run)] as const) {
        const caller = registry.as(account)
        for (const [there, notThere] of pairs) {
          const [seen, other] = [await caller.get(`/v2/${there}`), await caller.get(`/v2/${notThere}`)]
          expectRefusal(seen)
          expectThat(
            faceOf(seen, there) === faceOf(other, notThere),
            faceOf(other, notThere),
            faceOf(seen, there),
          )
        }
      }
    },
  )

  test(
    'auth.challenge.scheme-case',
    should('The scheme of Authorization is read without regard to case', rfc(9110)('11.1'), {
      needs: ['auth', 'credentials'],
    }),
    async ({ login, present }) => {
      const issued = await login.issue()
      need('GET /v2/ with a token', await present(issued, 'GET', '/v2/'), 200)
      for (const scheme of ['bearer', 'BEARER']) {
        const spelt = made(`${scheme} ${issued.token}`, `the token behind "${scheme}"`)
        expectStatus(await present(spelt, 'GET', '/v2/'), 200)
      }
    },
  )

  test(
    'auth.challenge.error-invalid-token',
    should(
      'A token that is refused is told by error="invalid_token", a missing one by no error',
      rfc(6750)('3.1'),
      {
        needs: ['auth'],
      },
    ),
    async ({ present, challenges, run, skip }) => {
      for (const { challenge, header } of challenges) {
        expectThat(challenge.parameters['error'] === undefined, 'no error where no token was sent', header)
      }
      const refused = await present(madeToken('not.a.token', 'three words that are no token'), 'GET', '/v2/')
      expectStatus(refused, 401, ...(run.selection.profile === 'oci' ? [403] : []))
      const challenge = bearerOf(refused)
      skip(!challenge, 'the refusal of a bad token comes without a Bearer challenge')
      const seen = `WWW-Authenticate: ${refused.header('www-authenticate')}`
      expectThat(challenge?.parameters['error'] === 'invalid_token', 'error="invalid_token"', seen)
    },
  )

  test(
    'auth.challenge.insufficient-scope',
    should(
      'A valid token without the access is answered 401 with the scope that it lacks, or 403',
      rfc(6750)('3.1'),
      {
        needs: ['auth', 'credentials', 'push'],
      },
    ),
    async ({ login, present, repository, skip }) => {
      const issued = await login.issue({ scopes: [`repository:${repository}:pull`] })
      const token = readToken(issued.token)
      if (!token) skip('the token is opaque: what it allows cannot be read')
      else
        skip(
          actionsOn(token, repository).includes('push'),
          'asked for pull, the token service also gave push',
        )
      const refused = await present(issued, 'POST', `/v2/${repository}/blobs/uploads/`)
      expectStatus(refused, 401, 403)
      const scope = bearerOf(refused)?.parameters['scope']
      const needed = resourcesOf(scope ?? '').some(
        ({ name, actions }) => name === repository && actions.includes('push'),
      )
      expectThat(scope === undefined || needed, `a scope with push on ${repository}`, `${scope}`)
    },
  )
})

const strangers = ({ capabilities }: RunContext) =>
  capabilities.stranger?.offered ? (['stranger'] as const) : []

/** What a caller sees of a refusal, without what it said itself. */
function faceOf(answer: Answer, path: string): string {
  const words = [
    answer.status,
    answer.header('www-authenticate') ?? '',
    JSON.stringify(errorsOf(answer)),
  ].join(' ')
  const [repository = '', reference = ''] = path.split(/\/(?:manifests|blobs|tags)\//)
  return words.replaceAll(repository, 'REPOSITORY').replaceAll(reference, 'REFERENCE')
}
