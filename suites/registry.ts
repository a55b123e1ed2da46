import { createSource, type Source } from '../fixtures/seed.ts'
import type { Exchange } from '../harness/exchange.ts'
import { createHttpClient, type HttpClient } from '../harness/http.ts'
import { createRegistryClient, type RegistryClient } from '../harness/registry-client.ts'
import type { RunContext } from '../harness/run-context.ts'
import { sharedName } from '../harness/selection.ts'
import type { AccountName, RegistryTarget } from '../harness/target.ts'
import { test as base, type Session } from '../harness/test.ts'

/** The registry under test, as one requirement uses it. */
export interface Registry {
  readonly target: RegistryTarget
  /** A client of an account; the owner's when none is named. */
  as(account?: AccountName | 'anonymous'): RegistryClient
  /** The same account at another instance of the registry. */
  at(instanceUrl: string, account?: AccountName | 'anonymous'): RegistryClient
  /** A repository that no other requirement uses, below the namespace of the run. */
  repository(hint?: string): string
  /**
   * What is large and several requirements only read: the first that asks has it made, in a repository of its own, and
   * each has the exchanges that made it in its record.
   */
  once<T>(name: string, make: (workshop: Workshop) => Promise<T>): Promise<T>
}

/** Where something is made for several requirements. */
export interface Workshop {
  readonly registry: Registry
  readonly client: RegistryClient
  readonly repository: string
  readonly content: Source
}

interface RegistryUse {
  readonly run: RunContext
  readonly session: Session
  readonly http: HttpClient
  /** What its repositories are named after. */
  readonly component: string
}

/** The registry as one requirement, or a workshop, uses it. */
export function useRegistry({ run, session, http, component }: RegistryUse): Registry {
  const target = run.targets.registry
  if (!target) throw new Error('a requirement on a registry ran without one')
  const { transport, redactor, tokens, prepared, observer, ended } = session
  const options = { access: run.access, http, redactor, tokens }

  async function prepare<T>(name: string, make: (workshop: Workshop) => Promise<T>) {
    const exchanges: Exchange[] = []
    // It outlives the requirement that asked for it, and not the run.
    const signal = ended && { signal: ended }
    const own = createHttpClient({ transport, redactor, record: exchanges, observer, ...signal })
    const registry = useRegistry({ run, session, http: own, component: sharedName(name, run.selection) })
    const content = createSource(run.seed).fork(name)
    const workshop = { registry, client: registry.as(), repository: registry.repository(), content }
    return { value: await make(workshop), exchanges }
  }

  return {
    target,
    as: (account = 'owner') => createRegistryClient({ ...options, target, account }),
    at: (url, account = 'owner') =>
      createRegistryClient({ ...options, target: { ...target, url, instances: [target.url] }, account }),
    repository: (hint) => `${run.namespace}/${component}${hint ? `/${hint}` : ''}`,
    async once<T>(name: string, make: (workshop: Workshop) => Promise<T>): Promise<T> {
      const preparing = prepared.get(name) ?? prepare(name, make)
      prepared.set(name, preparing)
      const { value, exchanges } = await preparing
      http.recall(exchanges)
      // A name stands for one maker.
      return value as T
    },
  }
}

/**
 * `test` for everything that talks to a registry. `content` gives names and bytes that depend on the seed and the id
 * alone; `client` speaks for the owner; `repository` is this requirement's own.
 */
export const test = base
  .extend('content', ({ run, task }): Source => createSource(run.seed).fork(task.name))
  .extend('registry', ({ run, session, http, task }): Registry => {
    const component = task.name.replace(/[^a-z0-9]+/g, '-')
    return useRegistry({ run, session, http, component })
  })
  .extend('client', ({ registry }): RegistryClient => registry.as())
  .extend('repository', ({ registry }): string => registry.repository())
