import { bearerChallenge, parseChallenges } from '../challenge.ts'
import type { HttpClient } from '../http.ts'
import type { Redactor } from '../redactor.ts'
import type { RegistryAccess } from '../registry-client.ts'
import type { RegistryTarget } from '../target.ts'
import { askForToken, tokenOf, tokenRequests } from '../token-service.ts'

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
  const scopes = [`repository:${namespace}/probe:pull,push`]
  for (const way of tokenRequests) {
    const question = {
      ...access,
      realm: new URL(realm, target.url).href,
      scopes,
      credentials,
      account: 'owner',
    }
    const token = await askForToken(http, way, question).then(tokenOf, () => undefined)
    if (token === undefined) continue
    redactor.add(token, 'token of owner')
    return { ...access, tokenRequest: way }
  }
  return access
}
