import type { Capabilities, Need } from '../capability.ts'
import { configured, notAsked } from '../capability.ts'
import { TargetFailure, UnreachableError, UsageError } from '../errors.ts'
import type { Exchange } from '../exchange.ts'
import { createHttpClient, type HttpClient } from '../http.ts'
import { openJournal } from '../journal/journal.ts'
import { observeRun } from '../journal/observe-run.ts'
import { createRedactor, type Redactor } from '../redactor.ts'
import type { RegistryAccess } from '../registry-client.ts'
import type { Requirement } from '../requirement.ts'
import { secretsOf, type Targets } from '../target.ts'
import { createTransport, type TransportOptions } from '../transport.ts'
import { probeAccess } from './access.ts'
import { isOccupied, probeRegistry, writing } from './registry.ts'

export interface Probed {
  readonly access: RegistryAccess
  readonly capabilities: Capabilities
  /** What was asked and answered on the way, secrets taken out. */
  readonly exchanges: readonly Exchange[]
  /** Whether there was content where the probe writes, so that an earlier run may have been there. */
  readonly occupied: boolean
}

export interface ProbeOptions {
  readonly targets: Targets
  readonly transport: TransportOptions
  readonly namespace: string
  readonly readOnly: boolean
  /** Breaks off what is asked. */
  readonly signal?: AbortSignal
  /** The requirements that will be judged, where they are known: what none of them needs is not looked for. */
  readonly requirements?: readonly Requirement[]
  /** The repository that the probe writes to; `NAMESPACE/probe` unless told. */
  readonly repository?: string
  /** The file in which the run notes what it creates. */
  readonly journal?: string | undefined
  /** Asks nothing more with credentials that are refused: an account may be locked after some failures. */
  readonly mustLogIn?: boolean
}

/**
 * Finds out what the targets are and offer. Throws `UnreachableError` when one does not answer at all, and `UsageError`
 * where it has to log in and cannot.
 */
export async function probe(options: ProbeOptions): Promise<Probed> {
  const { targets, namespace, readOnly, repository = `${namespace}/probe`, journal, signal } = options
  const transport = createTransport(options.transport)
  const redactor = redactorFor(targets)
  const exchanges: Exchange[] = []
  const observer = observeRun({ targets, ...(journal !== undefined && { journal }) }, transport, redactor)
  const http = createHttpClient({
    transport,
    redactor,
    record: exchanges,
    observer,
    ...(signal && { signal }),
  })
  const known = { ...configured(targets), ...(readOnly && notAsked) }
  try {
    const wanted = wantedBy(options.requirements)
    const access = await reachThrough(http, redactor, targets, { namespace, mayWrite: !readOnly }, wanted)
    const { registry } = targets
    if (registry && options.mustLogIn && access.refused !== undefined) {
      throw new UsageError(refusal(registry.url, access.refused))
    }
    if (!registry || !wanted('registry')) return { access, capabilities: known, exchanges, occupied: false }
    const place = { target: registry, access, http, redactor, namespace, repository, readOnly, wanted }
    const occupied = journal !== undefined && (await isOccupied(place))
    if (occupied) noteOccupied(journal)
    return { access, capabilities: { ...known, ...(await probeRegistry(place)) }, exchanges, occupied }
  } finally {
    await transport.close()
  }
}

const refusal = (url: string, how: string) =>
  `${url} refuses the credentials of owner: ${how}. Mend --username and --password, --token, the target file, or what ` +
  'docker login kept; without credentials a registry is judged as anybody meets it'

/** Finds out whether the targets answer, and how the registry authenticates. Throws `UnreachableError`. */
export async function reach(
  targets: Targets,
  options: TransportOptions,
  namespace: string,
): Promise<RegistryAccess> {
  const transport = createTransport(options)
  const redactor = redactorFor(targets)
  try {
    return await reachThrough(
      createHttpClient({ transport, redactor, record: [], observer: undefined }),
      redactor,
      targets,
      { namespace, mayWrite: true },
    )
  } finally {
    await transport.close()
  }
}

async function reachThrough(
  http: HttpClient,
  redactor: Redactor,
  { registry, storage, gateway, graphql }: Targets,
  { namespace, mayWrite }: { readonly namespace: string; readonly mayWrite: boolean },
  wanted: (need: Need) => boolean = () => true,
): Promise<RegistryAccess> {
  const answers = (name: string, method: string, url: string) =>
    http.request(method, url).catch((error: unknown) => {
      if (!(error instanceof TargetFailure)) throw error
      throw new UnreachableError(`the ${name} cannot be reached: ${error.message}`)
    })
  if (storage && wanted('storage')) await answers('storage node', 'POST', `${storage.url}/api/v0/id`)
  if (gateway && wanted('gateway'))
    await answers('gateway', 'GET', `${gateway.url}/${gateway.prefix ?? 'ipfs'}/`)
  if (graphql && wanted('graphql')) await answers('platform', 'GET', graphql.url)
  if (!registry || !wanted('registry')) return { scheme: 'open' }
  await answers('registry', 'GET', `${registry.url}/v2/`)
  return probeAccess(http, redactor, registry, namespace, mayWrite)
}

function redactorFor(targets: Targets): Redactor {
  const redactor = createRedactor()
  for (const [secret, label] of secretsOf(targets)) redactor.add(secret, label)
  return redactor
}

function noteOccupied(file: string): void {
  const journal = openJournal(file)
  journal.note({ occupied: true })
  journal.close()
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
