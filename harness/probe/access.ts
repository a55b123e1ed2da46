import { bearerChallenge, parseChallenges } from '../challenge.ts'
import { PrerequisiteFailure, TargetFailure } from '../errors.ts'
import type { HttpClient } from '../http.ts'
import type { Redactor } from '../redactor.ts'
import type { RegistryAccess } from '../registry-client.ts'
import type { RegistryTarget } from '../target.ts'
import {
  askForToken,
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
): Promise<RegistryAccess> {
  const answer = await http.request('GET', `${target.url}/v2/`)
  const offers = answer.headerValues('www-authenticate')
  const challenge = bearerChallenge(offers)
  const realm = challenge?.parameters['realm']
  if (!realm) {
    const basic = offers.flatMap(parseChallenges).some(({ scheme }) => scheme.toLowerCase() === 'basic')
    return { scheme: answer.status === 401 && basic ? 'basic' : 'open' }
  }
  const service = challenge.parameters['service']
  const access = { scheme: 'bearer' as const, realm, ...(service !== undefined && { service }) }
  const credentials = target.accounts?.owner
  if (!credentials || target.token) return access
  const way = await workingWay(http, redactor, access, target, {
    scopes: [`repository:${namespace}/probe:pull,push`],
    credentials,
    account: 'owner',
  })
  return way ? { ...access, tokenRequest: way } : access
}

/** The first way in which the token service gives a token; `undefined` where none does. */
async function workingWay(
  http: HttpClient,
  redactor: Redactor,
  { realm, service }: { readonly realm: string; readonly service?: string },
  target: RegistryTarget,
  asked: Omit<TokenQuestion, 'realm' | 'service'>,
): Promise<TokenRequest | undefined> {
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
    if (token === undefined) continue
    redactor.add(token, 'token of owner')
    return way
  }
  return undefined
}

/** What goes wrong here is told by the requirements that need a token. */
function explained(error: unknown): undefined {
  if (!(error instanceof TargetFailure || error instanceof PrerequisiteFailure)) throw error
}
