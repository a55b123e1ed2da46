import { emptyConfig } from '../../../fixtures/config.ts'
import { pushBlob } from '../../push.ts'
import { test as base, type Registry } from '../../registry.ts'

/**
 * `test` for what is done with referrers: `artifacts` is a repository that has the one blob of every artifact made here, for
 * all requirements whose subjects are their own. What deletes stays in `repository`, where it is alone.
 */
export const test = base.extend('artifacts', ({ registry }): Promise<string> => artifactsIn(registry))

/** That repository, for what is itself made once. */
export const artifactsIn = (registry: Registry): Promise<string> =>
  registry.once('artifacts', async ({ client, repository }) => {
    await pushBlob(client, repository, emptyConfig)
    return repository
  })
