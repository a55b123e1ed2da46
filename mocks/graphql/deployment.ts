import { hourlyCents } from './price.ts'
import type { Resources } from './template.ts'

/** What the owner allows a deployment to use. Money is US dollars. */
export interface Policy {
  readonly acceptableGpuModels: readonly string[]
  readonly gpuUnits?: number
  readonly gpuVendor?: string
  readonly maxBudgetUsd?: number
  readonly maxMonthlyUsd?: number
  readonly runtimeMinutes?: number
}

/** A deployment as it was asked for, and when its owner ended it. Its state is never stored: the clock tells it. */
export interface Deployment {
  readonly id: string
  readonly serviceId: string
  readonly user: string
  readonly provider: string
  readonly source: string
  readonly resources: Resources
  readonly image?: string
  readonly region?: string
  readonly policy?: Policy
  readonly startedAt: number
  readonly ended?: { readonly status: 'STOPPED' | 'REMOVED'; readonly at: number }
}

export type DeploymentStatus =
  | 'INITIALIZING'
  | 'QUEUED'
  | 'DEPLOYING'
  | 'ACTIVE'
  | 'STOPPED'
  | 'FAILED'
  | 'REMOVED'

/** Where a deployment stands: its status, the step on the way to ACTIVE, and since when. */
export interface Progress {
  readonly status: DeploymentStatus
  readonly step: number
  readonly since: number
  readonly message?: string
  readonly stopReason?: 'RUNTIME_EXPIRED' | 'BUDGET_EXCEEDED' | 'MANUAL_STOP'
}

/** The steps before ACTIVE, each of which takes `stepMs`. */
const steps = ['INITIALIZING', 'QUEUED', 'QUEUED', 'DEPLOYING', 'DEPLOYING', 'DEPLOYING'] as const
const stepMs = 1000
const hourMs = 3_600_000

/** Names under `.invalid` never resolve (RFC 2606), so an image from there cannot be pulled. */
const unreachable = /^[^/]*\.invalid(?::\d+)?\//

/** When the deployment is ACTIVE, unless it fails or is ended before. */
export const activeAt = ({ startedAt }: Deployment): number => startedAt + steps.length * stepMs

/** When and why the policy of a deployment stops it. */
function policyStop(deployment: Deployment): Progress | undefined {
  const { runtimeMinutes, maxBudgetUsd } = deployment.policy ?? {}
  const start = activeAt(deployment)
  const runtime = runtimeMinutes === undefined ? Infinity : start + runtimeMinutes * 60_000
  const affordableHours = ((maxBudgetUsd ?? Infinity) * 100) / hourlyCents(deployment.resources)
  const budget = start + affordableHours * hourMs
  const since = Math.min(runtime, budget)
  if (since === Infinity) return undefined
  const stopReason = runtime <= budget ? 'RUNTIME_EXPIRED' : 'BUDGET_EXCEEDED'
  return {
    status: 'STOPPED',
    step: steps.length,
    since,
    stopReason,
    message: `Stopped by its policy: ${stopReason}`,
  }
}

function running(deployment: Deployment, now: number): Progress {
  const { image, startedAt } = deployment
  const step = Math.min(Math.max(0, Math.floor((now - startedAt) / stepMs)), steps.length)
  const since = startedAt + step * stepMs
  const status = steps[step]
  if (status) return { status, step, since }
  if (image && unreachable.test(image)) {
    return { status: 'FAILED', step, since, message: `The image "${image}" cannot be pulled` }
  }
  const stop = policyStop(deployment)
  return stop && stop.since <= now ? stop : { status: 'ACTIVE', step, since }
}

/** Where the deployment stands at `now`. */
export function progressOf(deployment: Deployment, now: number): Progress {
  const { ended } = deployment
  if (!ended || now < ended.at) return running(deployment, now)
  const last = running(deployment, ended.at)
  if (ended.status === 'STOPPED' && last.stopReason) return last
  return { status: ended.status, step: last.step, since: ended.at, stopReason: 'MANUAL_STOP' }
}

/** Whether the deployment still holds its service: it runs, or is about to. */
export const isLiveStatus = ({ status }: Progress): boolean =>
  status === 'INITIALIZING' || status === 'QUEUED' || status === 'DEPLOYING' || status === 'ACTIVE'

/** Every status that the deployment has been in, oldest first. */
export function historyOf(deployment: Deployment, now: number): readonly Progress[] {
  const current = progressOf(deployment, now)
  const onTheWay = Array.from({ length: steps.length + 1 }, (_, step) =>
    running(deployment, deployment.startedAt + step * stepMs),
  ).filter(({ since }) => since < current.since)
  return [...onTheWay, current].filter(({ status }, index, all) => status !== all[index - 1]?.status)
}

/** Milliseconds that the deployment was ACTIVE between two moments. */
export function activeMs(deployment: Deployment, from: number, to: number): number {
  const start = activeAt(deployment)
  const { status, since } = progressOf(deployment, to)
  const reached = running(deployment, start).status === 'ACTIVE' && (deployment.ended?.at ?? Infinity) > start
  if (!reached) return 0
  const end = status === 'ACTIVE' ? to : since
  return Math.max(0, Math.min(end, to) - Math.max(start, from))
}
