import type { Capabilities, Need } from '../capability.ts'
import { configured } from '../capability.ts'
import { TargetFailure, UnreachableError } from '../errors.ts'
import type { Exchange } from '../exchange.ts'
import { createHttpClient } from '../http.ts'
import { createRedactor } from '../redactor.ts'
import type { RegistryAccess } from '../registry-client.ts'
import type { Requirement } from '../requirement.ts'
import { secretsOf, type Targets } from '../target.ts'
import { createTransport, type TransportOptions } from '../transport.ts'
import { probeAccess } from './access.ts'
import { probeRegistry, writing } from './registry.ts'

export interface Probed {
  readonly access: RegistryAccess
  readonly capabilities: Capabilities
  /** What was asked and answered on the way, secrets taken out. */
  readonly exchanges: readonly Exchange[]
}

export interface ProbeOptions {
  readonly targets: Targets
  readonly transport: TransportOptions
  /** The probe writes below it. */
  readonly namespace: string
  readonly readOnly: boolean
  /** Breaks off what is asked. */
  readonly signal?: AbortSignal
  /** The requirements that will be judged, where they are known: what none of them needs is not looked for. */
  readonly requirements?: readonly Requirement[]
}

/** Finds out what the targets are and offer. Throws `UnreachableError` when one does not answer at all. */
export async function probe({
  targets,
  transport: options,
  namespace,
  readOnly,
  signal,
  requirements,
}: ProbeOptions): Promise<Probed> {
  const transport = createTransport(options)
  const redactor = createRedactor()
  for (const [secret, label] of secretsOf(targets)) redactor.add(secret, label)
  const exchanges: Exchange[] = []
  const http = createHttpClient({ transport, redactor, record: exchanges, ...(signal && { signal }) })
  const answers = (name: string, method: string, url: string) =>
    http.request(method, url).catch((error: unknown) => {
      if (!(error instanceof TargetFailure)) throw error
      throw new UnreachableError(`the ${name} cannot be reached: ${error.message}`)
    })
  try {
    const { registry, storage, gateway, graphql } = targets
    const wanted = wantedBy(requirements)
    if (storage && wanted('storage')) await answers('storage node', 'POST', `${storage.url}/api/v0/id`)
    if (gateway && wanted('gateway'))
      await answers('gateway', 'GET', `${gateway.url}/${gateway.prefix ?? 'ipfs'}/`)
    if (graphql && wanted('graphql')) await answers('platform', 'GET', graphql.url)
    const known = configured(targets)
    if (!registry || !wanted('registry'))
      return { access: { scheme: 'open' }, capabilities: known, exchanges }
    await answers('registry', 'GET', `${registry.url}/v2/`)
    const access = await probeAccess(http, redactor, registry, namespace)
    const found = await probeRegistry({
      ...{ target: registry, access, http, redactor, namespace, readOnly, wanted },
    })
    return { access, capabilities: { ...known, ...found }, exchanges }
  } finally {
    await transport.close()
  }
}

/** Cheap, and a test looks at them in passing. */
const ofEveryRegistry: readonly Need[] = ['registry', 'auth', 'private']
const ofRegistries: readonly Need[] = [...ofEveryRegistry, 'catalog', ...writing]

function wantedBy(requirements: readonly Requirement[] | undefined): (need: Need) => boolean {
  if (!requirements) return () => true
  const needed = new Set<Need>(requirements.flatMap(({ needs, uses = [] }) => [...needs, ...uses]))
  for (const { interface: on } of requirements) {
    if (on === 'storage' || on === 'gateway' || on === 'graphql') needed.add(on)
    else needed.add('registry')
  }
  if (ofRegistries.some((need) => needed.has(need))) for (const need of ofEveryRegistry) needed.add(need)
  return (need) => needed.has(need)
}
