import { createSource, type Source } from '../fixtures/seed.ts'
import { createRegistryClient, type RegistryClient } from '../harness/registry-client.ts'
import type { AccountName, RegistryTarget } from '../harness/target.ts'
import { test as base } from '../harness/test.ts'

/** The registry under test, as one requirement uses it. */
export interface Registry {
  readonly target: RegistryTarget
  /** A client of an account; the owner's when none is named. */
  as(account?: AccountName | 'anonymous'): RegistryClient
  /** The same account at another instance of the registry. */
  at(instanceUrl: string, account?: AccountName | 'anonymous'): RegistryClient
  /** A repository that no other requirement uses, below the namespace of the run. */
  repository(hint?: string): string
}

/**
 * `test` for everything that talks to a registry. `content` gives names and bytes that depend on the seed and the id
 * alone; `client` speaks for the owner; `repository` is this requirement's own.
 */
export const test = base
  .extend('content', ({ run, task }): Source => createSource(run.seed).fork(task.name))
  .extend('registry', ({ run, session, http, task }): Registry => {
    const target = run.targets.registry
    if (!target) throw new Error('a requirement on a registry ran without one')
    const options = { access: run.access, http, redactor: session.redactor, tokens: session.tokens }
    const component = task.name.replace(/[^a-z0-9]+/g, '-')
    return {
      target,
      as: (account = 'owner') => createRegistryClient({ ...options, target, account }),
      at: (url, account = 'owner') =>
        createRegistryClient({ ...options, target: { ...target, url, instances: [target.url] }, account }),
      repository: (hint) => `${run.namespace}/${component}${hint ? `/${hint}` : ''}`,
    }
  })
  .extend('client', ({ registry }): RegistryClient => registry.as())
  .extend('repository', ({ registry }): string => registry.repository())
