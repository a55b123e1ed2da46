import { toInt } from './bounds.ts'
import { activeMs, type Deployment, progressOf } from './deployment.ts'
import { hourlyCents } from './price.ts'
import type { PlatformState } from './state.ts'

/** What every user starts with: 100 dollars. */
const startingCredit = 10_000
const hourMs = 3_600_000

/** What a deployment cost between two moments, in cents and parts of one. */
export const costCents = (deployment: Deployment, from: number, to: number): number =>
  (activeMs(deployment, from, to) / hourMs) * hourlyCents(deployment.resources)

/** Every deployment of a user's services. */
export const deploymentsOf = (state: PlatformState, user: string): Deployment[] =>
  state.projects
    .of(user)
    .flatMap(({ id }) => state.services.of(id))
    .flatMap(({ id }) => state.deployments.of(id))

/** What a user spent between two moments, also on services that are gone since. */
export function spentCents(state: PlatformState, user: string, from: number, to: number): number {
  const running = deploymentsOf(state, user).map((deployment) => costCents(deployment, from, to))
  const gone = state.charges
    .of(user)
    .filter(({ at }) => at >= from && at <= to)
    .map(({ cents }) => cents)
  return [...running, ...gone].reduce((sum, cents) => sum + cents, 0)
}

/** What a user has left, in whole cents and never below 0. */
export function balanceCents(state: PlatformState, user: string, now: number): number {
  const paid = state.payments.of(user).reduce((sum, { amount }) => sum + amount, 0)
  return Math.max(0, toInt(startingCredit + paid - spentCents(state, user, 0, now)))
}

/** What a user spends in an hour of now, in cents and parts of one. */
export const burnCentsPerHour = (state: PlatformState, user: string, now: number): number =>
  deploymentsOf(state, user)
    .filter((deployment) => progressOf(deployment, now).status === 'ACTIVE')
    .reduce((sum, { resources }) => sum + hourlyCents(resources), 0)
