import type { Capability } from './report.ts'
import type { Targets } from './target.ts'
import { throughProxy } from './transport.ts'

/** What a requirement may need, and what that means to a reader. A target offers it or not; the report says how we know. */
export const needs = {
  registry: 'a registry',
  storage: 'a storage node',
  gateway: 'a gateway',
  graphql: 'a platform endpoint',
  credentials: 'credentials for the registry',
  reader: 'an account that may only pull (accounts.reader)',
  stranger: 'an account without rights (accounts.stranger)',
  special: 'an account with an awkward password (accounts.special)',
  'public-key': 'the key that checks tokens (publicKey)',
  'signing-key': 'the key that signs tokens (signingKey, test instances only)',
  domain: 'what iss and aud of a token must be (domain)',
  content: 'content that may be read (content)',
  logs: "the registry's log (logs)",
  instances: 'further instances of the registry (instances)',
  https: 'a registry behind https',
  direct: 'a connection without a proxy in between',
  'storage.control': 'the control surface of the storage node (storage.control)',
  'gateway.private': 'a gateway that is declared private (gateway.private)',
  'token.valid': 'a personal access token (graphql.tokens.valid)',
  'token.other': "another user's personal access token (graphql.tokens.other)",
  'token.expired': 'an expired personal access token (graphql.tokens.expired)',
  'token.revoked': 'a revoked personal access token (graphql.tokens.revoked)',
  'allow.gc': 'leave to collect garbage (allow: gc)',
  'allow.mutations': 'leave to run mutations (allow: mutations)',
  'allow.large': 'leave to move very large blobs (allow: large)',
  push: 'pushing',
  auth: 'authentication',
  private: 'repositories that are not public',
  catalog: 'the catalogue',
  'single-post': 'blobs in a single POST',
  mount: 'cross-repository mount',
  cancel: 'cancelling an upload',
  range: 'ranges of blobs',
  sha512: 'sha512 digests',
  referrers: 'the referrers API',
  'tag-param': 'tag parameters on a push by digest',
  'delete.tag': 'deleting tags',
  'delete.manifest': 'deleting manifests',
  'delete.blob': 'deleting blobs',
} as const

export type Need = keyof typeof needs

export type Capabilities = Readonly<Partial<Record<Need, Capability>>>

export const offered = (reason: string): Capability => ({ offered: true, reason })
export const absent = (reason: string): Capability => ({ offered: false, cause: 'capability-absent', reason })
const notConfigured = (reason: string): Capability => ({ offered: false, cause: 'not-configured', reason })

export const namedByConfiguration = 'named by the configuration'

/** What the target file alone tells. */
export function configured(targets: Targets): Capabilities {
  const { registry, storage, gateway, graphql, allow = [] } = targets
  const accounts = registry?.accounts ?? {}
  const named: Readonly<Partial<Record<Need, unknown>>> = {
    registry,
    storage,
    gateway,
    graphql,
    credentials: accounts.owner ?? registry?.token,
    reader: accounts.reader,
    stranger: accounts.stranger,
    special: accounts.special,
    'public-key': registry?.publicKey,
    'signing-key': registry?.signingKey,
    domain: registry?.domain,
    content: registry?.content?.length,
    logs: registry?.logs,
    instances: registry?.instances?.length,
    https: registry?.url.startsWith('https:'),
    direct: registry && !throughProxy(registry.url),
    'storage.control': storage?.control,
    'gateway.private': gateway?.private,
    'token.valid': graphql?.tokens?.valid,
    'token.other': graphql?.tokens?.other,
    'token.expired': graphql?.tokens?.expired,
    'token.revoked': graphql?.tokens?.revoked,
    'allow.gc': allow.includes('gc'),
    'allow.mutations': allow.includes('mutations'),
    'allow.large': allow.includes('large'),
  }
  return Object.fromEntries(
    Object.entries(named).map(([need, value]) => [
      need,
      value ? offered(namedByConfiguration) : notConfigured(`needs ${needs[need as Need]}`),
    ]),
  )
}

/** What a read-only run does not do, whatever the target file allows. */
export const notAsked: Capabilities = Object.fromEntries(
  (['allow.gc', 'allow.mutations', 'allow.large'] as const).map((need) => [
    need,
    notConfigured('the run is read-only'),
  ]),
)
