import type { Credentials, Present } from './login.ts'
import { expectUnauthorized } from './refusals.ts'

/** These credentials are worth as much as none: 401 with a Bearer challenge, at the base and on a repository. */
export async function expectTurnedAway(
  present: Present,
  credentials: Credentials,
  repository: string,
): Promise<void> {
  for (const path of ['/v2/', `/v2/${repository}/manifests/latest`]) {
    expectUnauthorized(await present(credentials, 'GET', path))
  }
}
