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
  readonly stoppedAt?: number
  readonly removedAt?: number
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

function stopped(deployment: Deployment, now: number): Progress {
  const { stoppedAt = Infinity } = deployment
  const last = running(deployment, Math.min(now, stoppedAt))
  if (now < stoppedAt || !isLiveStatus(last)) return last
  return { status: 'STOPPED', step: last.step, since: stoppedAt, stopReason: 'MANUAL_STOP' }
}

/** Where the deployment stands at `now`. */
export function progressOf(deployment: Deployment, now: number): Progress {
  const { removedAt = Infinity } = deployment
  const last = stopped(deployment, Math.min(now, removedAt))
  if (now < removedAt) return last
  return {
    status: 'REMOVED',
    step: last.step,
    since: removedAt,
    stopReason: last.stopReason ?? 'MANUAL_STOP',
  }
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
  const { stoppedAt = Infinity, removedAt = Infinity } = deployment
  const end = Math.min(to, stoppedAt, removedAt)
  const { status, since } = running(deployment, end)
  if (status !== 'ACTIVE' && status !== 'STOPPED') return 0
  return Math.max(0, (status === 'ACTIVE' ? end : since) - Math.max(activeAt(deployment), from))
}
