import { costCents } from '../balance.ts'
import { toInt } from '../bounds.ts'
import type { Context } from '../context.ts'
import {
  activeAt,
  type Deployment,
  historyOf,
  isLiveStatus,
  type Progress,
  progressOf,
} from '../deployment.ts'
import { badInput, notFound } from '../errors.ts'
import { launch, newestDeployment, type PolicyInput, removeDeployment } from '../launch.ts'
import { ownDeployment, ownService, ownServices } from '../ownership.ts'
import { serviceUrl } from '../service-url.ts'
import type { Project, Service } from '../state.ts'

const mostDeployments = 500

interface ListArguments {
  readonly projectId?: string | null
  readonly limit?: number | null
}

function allDeployments(_: unknown, { projectId, limit }: ListArguments, context: Context): Deployment[] {
  if (limit != null && limit < 0) throw badInput('limit is not below 0')
  return ownServices(projectId, context)
    .flatMap(({ id }) => context.state.deployments.of(id))
    .reverse()
    .sort((a, b) => b.startedAt - a.startedAt)
    .slice(0, Math.min(limit ?? 50, mostDeployments))
}

interface DeployArguments {
  readonly serviceId: string
  readonly policy?: PolicyInput | null
}

const deployService = (_: unknown, { serviceId, policy }: DeployArguments, context: Context): Deployment =>
  launch(context, ownService(serviceId, context), { provider: 'mock', policy: policy ?? null })

const closeDeployment = (_: unknown, { id }: { id: string }, context: Context): Deployment =>
  removeDeployment(context, ownDeployment(id, context))

const overall = ({ status }: Progress) =>
  status === 'ACTIVE' ? 'healthy' : status === 'FAILED' || status === 'STOPPED' ? 'unhealthy' : 'starting'

function deploymentHealth(_: unknown, { serviceId }: { serviceId: string }, context: Context) {
  const service = ownService(serviceId, context)
  const deployment = newestDeployment(context.state, service)
  const now = context.clock.now()
  const progress = deployment && progressOf(deployment, now)
  if (!progress || progress.status === 'REMOVED') return null
  const ready = progress.status === 'ACTIVE'
  const container = {
    name: service.slug,
    status: progress.status,
    ready,
    total: 1,
    available: ready ? 1 : 0,
    uris: ready ? [serviceUrl(service, deployment)] : [],
    message: progress.message,
  }
  return {
    provider: deployment.provider,
    overall: overall(progress),
    containers: [container],
    lastChecked: now,
  }
}

interface LogArguments {
  readonly serviceId: string
  readonly tail?: number | null
}

function serviceLogs(_: unknown, { serviceId, tail }: LogArguments, context: Context) {
  if (tail != null && tail < 0) throw badInput('tail is not below 0')
  const service = ownService(serviceId, context)
  const deployment = newestDeployment(context.state, service)
  if (!deployment) throw notFound(`The service "${service.name}" was never deployed`)
  const now = context.clock.now()
  const lines = historyOf(deployment, now).map(
    ({ status, since, message }) => `${new Date(since).toISOString()} ${message ?? status}`,
  )
  const shown = tail == null ? lines : lines.slice(Math.max(0, lines.length - tail))
  return {
    logs: shown.join('\n'),
    provider: deployment.provider,
    deploymentId: deployment.id,
    timestamp: now,
  }
}

function policy(deployment: Deployment, _: unknown, { clock }: Context) {
  if (!deployment.policy) return null
  const now = clock.now()
  const progress = progressOf(deployment, now)
  const { runtimeMinutes, maxBudgetUsd = 0 } = deployment.policy
  return {
    ...deployment.policy,
    id: deployment.id.replace(/^dep_/, 'pol_'),
    expiresAt: runtimeMinutes === undefined ? null : activeAt(deployment) + runtimeMinutes * 60_000,
    reservedCents: isLiveStatus(progress) ? toInt(maxBudgetUsd * 100) : 0,
    stopReason: progress.stopReason,
    stoppedAt: progress.stopReason === undefined ? null : progress.since,
    totalSpentUsd: costCents(deployment, 0, now) / 100,
    createdAt: deployment.startedAt,
    updatedAt: progress.since,
  }
}

type Of<T> = (deployment: Deployment, _: unknown, context: Context) => T

const serviceOf: Of<Service | undefined> = ({ serviceId }, _, { state }) => state.services.get(serviceId)
const projectOf: Of<Project | undefined> = (deployment, _, context) =>
  context.state.projects.get(serviceOf(deployment, _, context)?.projectId ?? '')
const progress: Of<Progress> = (deployment, _, { clock }) => progressOf(deployment, clock.now())

const fields: Readonly<Record<string, Of<unknown>>> = {
  shortId: ({ id }) => id.slice(-8),
  status: (...args) => progress(...args).status,
  statusMessage: (...args) => progress(...args).message,
  kind: ({ provider }) => provider.toUpperCase(),
  serviceName: (...args) => serviceOf(...args)?.name,
  serviceSlug: (...args) => serviceOf(...args)?.slug,
  serviceType: (...args) => serviceOf(...args)?.type,
  projectId: (...args) => projectOf(...args)?.id,
  projectName: (...args) => projectOf(...args)?.name,
  createdAt: ({ startedAt }) => startedAt,
  updatedAt: (...args) => progress(...args).since,
  author: ({ user }) => ({ id: user, name: user }),
  policy,
}

export const deploymentResolvers = {
  Query: { allDeployments, deploymentHealth, serviceLogs },
  Mutation: { deployService, closeDeployment },
  UnifiedDeployment: fields,
}
