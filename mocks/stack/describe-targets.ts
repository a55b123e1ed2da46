import type { Parts } from './parts.ts'
import type { Ports } from './ports.ts'
import type { AccountName } from './secrets.ts'
import type { Login, PlatformTokens, StartContent, Targets } from './targets.ts'

/** The repositories under which a run may write, and those of the start content, which is read only. */
const namespace = 'conformance'

export interface TargetsOptions {
  readonly parts: Parts
  readonly origins: Ports['origins']
  readonly storageUrl: string | undefined
  /** Undefined: the host, without its port, that a client names. */
  readonly domain: string | undefined
  /** Undefined where the registry asks for no login. */
  readonly logins: Readonly<Record<AccountName, Login>> | undefined
  readonly tokens: PlatformTokens
  readonly content: StartContent
}

/** The target object of a running stack. */
export function describeTargets(options: TargetsOptions): Targets {
  const { parts, origins, storageUrl } = options
  return {
    ...registryTarget(options),
    ...(storageUrl !== undefined && { storage: { url: storageUrl } }),
    ...(origins.storage !== undefined && {
      storage: { url: origins.storage, control: `${origins.storage}/_mock/` },
    }),
    ...(parts.storage &&
      origins.gateway !== undefined && {
        gateway: { url: origins.gateway, prefix: parts.storage.prefix, private: false },
      }),
    ...(origins.graphql !== undefined && {
      graphql: { url: `${origins.graphql}/graphql`, tokens: options.tokens },
    }),
    allow: storageUrl === undefined ? ['gc', 'mutations', 'large'] : ['mutations', 'large'],
  }
}

function registryTarget({ parts, origins, ...options }: TargetsOptions): Pick<Targets, 'registry'> {
  const [url, ...instances] = origins.registry
  if (!parts.registry || url === undefined) return {}
  const { publicKey, signingKey, logs } = parts.registry
  const { domain, logins, content } = options
  return {
    registry: {
      url,
      ...(instances.length > 0 && { instances }),
      domain: domain ?? new URL(url).hostname,
      ...(logins && { accounts: logins }),
      namespace,
      publicKey,
      signingKey,
      content,
      logs,
    },
  }
}
