import type { Answer } from '../answer.ts'
import { basicOffered, bearerChallenge } from '../challenge.ts'
import { PrerequisiteFailure, TargetFailure } from '../errors.ts'
import type { HttpClient } from '../http.ts'
import type { Redactor } from '../redactor.ts'
import type { RegistryAccess } from '../registry-client.ts'
import type { RegistryTarget } from '../target.ts'
import {
  askForToken,
  basic,
  type TokenQuestion,
  type TokenRequest,
  tokenOf,
  tokenRequests,
  tokenServiceUrl,
} from '../token-service.ts'

/** Finds out how a registry authenticates: what it challenges with, and how its token service takes credentials. */
export async function probeAccess(
  http: HttpClient,
  redactor: Redactor,
  target: RegistryTarget,
  namespace: string,
  mayWrite = true,
): Promise<RegistryAccess> {
  const credentials = target.accounts?.owner
  const answer = await challenged(http, target.url, credentials && mayWrite ? namespace : undefined)
  const offers = answer.headerValues('www-authenticate')
  const challenge = bearerChallenge(offers)
  const realm = challenge?.parameters['realm']
  const root = async (authorization: string, kind: 'basic' | 'token') => {
    const sent = { headers: { authorization }, credentials: { kind, account: 'owner' } }
    return refusedAtRoot(await http.request('GET', `${target.url}/v2/`, sent).catch(explained))
  }
  if (!realm) {
    if (answer.status !== 401 || !basicOffered(offers)) return { scheme: 'open' }
    const refused = credentials && !target.token ? await root(basic(credentials), 'basic') : {}
    return { scheme: 'basic', ...refused }
  }
  const service = challenge.parameters['service']
  const access = { scheme: 'bearer' as const, realm, ...(service !== undefined && { service }) }
  if (target.token) return { ...access, ...(await root(`Bearer ${target.token}`, 'token')) }
  if (!credentials) return access
  const found = await workingWay(http, redactor, access, target, {
    scopes: [`repository:${namespace}/probe:pull,push`],
    credentials,
    account: 'owner',
  })
  return { ...access, ...found }
}

const nowhere = `sha256:${'0'.repeat(64)}`

/** What answers nobody's first request. Where anybody may read, who writes is asked: by removing what is not there. */
async function challenged(http: HttpClient, url: string, namespace: string | undefined): Promise<Answer> {
  const root = await http.request('GET', `${url}/v2/`)
  if (root.status !== 200 || namespace === undefined) return root
  if (bearerChallenge(root.headerValues('www-authenticate'))) return root
  const path = `/v2/${namespace}/probe/manifests/${nowhere}`
  const removal = await http.request('DELETE', `${url}${path}`).catch(explained)
  return removal?.status === 401 ? removal : root
}

/** Credentials that reach less far than `GET /v2/` are no wrong ones. */
function refusedAtRoot(answer: Answer | undefined): Pick<RegistryAccess, 'refused'> {
  if (answer?.status !== 401) return {}
  const { error } = bearerChallenge(answer.headerValues('www-authenticate'))?.parameters ?? {}
  return error === 'insufficient_scope' ? {} : { refused: 'GET /v2/ with them answered 401' }
}

/** The first way in which the token service gives a token; where none does, whether that is for the credentials. */
async function workingWay(
  http: HttpClient,
  redactor: Redactor,
  { realm, service }: { readonly realm: string; readonly service?: string },
  target: RegistryTarget,
  asked: Omit<TokenQuestion, 'realm' | 'service'>,
): Promise<Pick<RegistryAccess, 'tokenRequest' | 'refused'>> {
  const statuses: (number | undefined)[] = []
  const answerTo = async (way: TokenRequest) => {
    const url = tokenServiceUrl(realm, target.url)
    return askForToken(http, way, { ...asked, realm: url, ...(service !== undefined && { service }) })
  }
  for (const way of tokenRequests) {
    // Silence says nothing about a way: only a second one counts.
    const answer = await answerTo(way)
      .catch(() => answerTo(way))
      .catch(explained)
    const token = answer && tokenOf(answer)
    if (token !== undefined) {
      redactor.add(token, 'token of owner')
      return { tokenRequest: way }
    }
    statuses.push(answer?.status)
  }
  // A way that is not supported may be answered in many manners; only a 401 speaks of the credentials.
  const unsure = statuses.some((status) => status === undefined || status < 400 || status >= 500)
  if (unsure || !statuses.includes(401)) return {}
  return { refused: tokenRequests.map((way, i) => `${way} at ${realm} answered ${statuses[i]}`).join(', ') }
}

/** What goes wrong here is told by the requirements that need a token. */
function explained(error: unknown): undefined {
  if (!(error instanceof TargetFailure || error instanceof PrerequisiteFailure)) throw error
}
