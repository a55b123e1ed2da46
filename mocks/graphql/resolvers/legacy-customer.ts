import { deploymentsOf, spentCents } from '../balance.ts'
import { toInt } from '../bounds.ts'
import type { Context } from '../context.ts'
import { activeMs } from '../deployment.ts'
import { monthStart } from '../month.ts'

function customer(_: unknown, __: unknown, { state, viewer }: Context) {
  const user = viewer()
  return {
    id: `cus_${user}`,
    userId: user,
    name: user,
    createdAt: state.startedAt,
    updatedAt: state.startedAt,
  }
}

function currentUsage(_: unknown, __: unknown, { state, clock, viewer }: Context) {
  const now = clock.now()
  const since = monthStart(now)
  const total = toInt(spentCents(state, viewer(), since, now))
  const ms = deploymentsOf(state, viewer()).map((deployment) => activeMs(deployment, since, now))
  const hours = ms.reduce((sum, value) => sum + value, 0) / 3_600_000
  const none = { quantity: 0, amount: 0 }
  return {
    storage: none,
    bandwidth: none,
    requests: none,
    compute: { quantity: hours, amount: total },
    total,
  }
}

export const legacyCustomerResolvers = { Query: { customer, currentUsage } }
