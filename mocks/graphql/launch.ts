import { balanceCents } from './balance.ts'
import type { Context } from './context.ts'
import { type Deployment, isLiveStatus, type Policy, progressOf } from './deployment.ts'
import { badInput, platformError } from './errors.ts'
import { newId } from './identifier.ts'
import type { PlatformState, Service } from './state.ts'
import { defaultResources, type Resources } from './template.ts'
import { templateById } from './template-catalogue.ts'

/** A policy as the schema lets it through. */
export type PolicyInput = {
  readonly [key in keyof Policy]?: Policy[key] | null
}

export interface LaunchOptions {
  readonly provider: string
  readonly resources?: Resources
  readonly region?: string | null
  readonly policy?: PolicyInput | null
}

/** The latest deployment of a service, or undefined before its first. */
export const newestDeployment = (state: PlatformState, { id }: Service): Deployment | undefined =>
  state.deployments.of(id).at(-1)

/** The policy without what is null; limits below zero are refused. */
function checkedPolicy(input: PolicyInput): Policy {
  for (const name of ['gpuUnits', 'maxBudgetUsd', 'maxMonthlyUsd', 'runtimeMinutes'] as const) {
    if ((input[name] ?? 0) < 0) throw badInput(`The limit ${name} of a policy is not below 0`)
  }
  const given = Object.entries(input).filter(([, value]) => value != null)
  return { acceptableGpuModels: [], ...Object.fromEntries(given) }
}

/** Stops a deployment now; one that runs no more stays as it is. */
export function stopDeployment({ state, clock }: Context, deployment: Deployment): Deployment {
  const now = clock.now()
  if (!isLiveStatus(progressOf(deployment, now))) return deployment
  return state.deployments.put({ ...deployment, stoppedAt: now })
}

/** Takes a deployment away now; one that is gone already stays as it is. */
export function removeDeployment({ state, clock }: Context, deployment: Deployment): Deployment {
  if (deployment.removedAt !== undefined) return deployment
  return state.deployments.put({ ...deployment, removedAt: clock.now() })
}

/** Starts a deployment of the service, in place of the one that is alive. */
export function launch(context: Context, service: Service, options: LaunchOptions): Deployment {
  const { state, clock, viewer } = context
  const template = service.templateId === undefined ? undefined : templateById(service.templateId)
  const { dockerImage } = service
  if (dockerImage === undefined) throw badInput(`The service "${service.name}" has no image to deploy`)
  if (balanceCents(state, viewer(), clock.now()) <= 0) {
    throw platformError('The balance is used up', 'INSUFFICIENT_BALANCE')
  }
  const policy = options.policy ? checkedPolicy(options.policy) : undefined
  for (const old of state.deployments.of(service.id)) {
    if (isLiveStatus(progressOf(old, clock.now()))) removeDeployment(context, old)
  }
  return state.deployments.put({
    id: newId('dep'),
    serviceId: service.id,
    user: viewer(),
    provider: options.provider,
    source: template ? 'template' : 'docker',
    image: dockerImage,
    resources: options.resources ?? template?.resources ?? defaultResources,
    ...(options.region == null ? {} : { region: options.region }),
    ...(policy ? { policy } : {}),
    startedAt: clock.now(),
  })
}
