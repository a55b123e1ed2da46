import type { RegistryClient } from '../../harness/registry-client.ts'
import type { RunContext } from '../../harness/run-context.ts'
import { need } from '../push.ts'
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

/** A registry that refuses everyone would keep every rule of refusal: where there are credentials, they open it. */
export async function needAccess(client: RegistryClient, { capabilities }: RunContext): Promise<void> {
  if (!capabilities.credentials?.offered) return
  need('GET /v2/ as the owner', await client.get('/v2/'), 200)
}
