import type { Capabilities } from '../capability.ts'
import { configured } from '../capability.ts'
import { TargetFailure, UnreachableError } from '../errors.ts'
import type { Exchange } from '../exchange.ts'
import { createHttpClient } from '../http.ts'
import { createRedactor } from '../redactor.ts'
import type { RegistryAccess } from '../registry-client.ts'
import { secretsOf, type Targets } from '../target.ts'
import { createTransport, type TransportOptions } from '../transport.ts'
import { probeAccess } from './access.ts'
import { probeRegistry } from './registry.ts'

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
}

/** Finds out what the targets are and offer. Throws `UnreachableError` when one does not answer at all. */
export async function probe({
  targets,
  transport: options,
  namespace,
  readOnly,
  signal,
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
    if (storage) await answers('storage node', 'POST', `${storage.url}/api/v0/id`)
    if (gateway) await answers('gateway', 'GET', `${gateway.url}/${gateway.prefix ?? 'ipfs'}/`)
    if (graphql) await answers('platform', 'GET', graphql.url)
    if (!registry) return { access: { scheme: 'open' }, capabilities: configured(targets), exchanges }
    await answers('registry', 'GET', `${registry.url}/v2/`)
    const access = await probeAccess(http, redactor, registry, namespace)
    const found = await probeRegistry({ target: registry, access, http, redactor, namespace, readOnly })
    return { access, capabilities: { ...configured(targets), ...found }, exchanges }
  } finally {
    await transport.close()
  }
}
