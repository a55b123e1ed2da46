import { costCents, spentCents } from '../balance.ts'
import { toInt } from '../bounds.ts'
import type { Context } from '../context.ts'
import { progressOf } from '../deployment.ts'
import { monthStart } from '../month.ts'
import { ownServices } from '../ownership.ts'
import { gibibytes } from '../price.ts'

function workspaceMetrics(_: unknown, { projectId }: { projectId?: string | null }, context: Context) {
  const { state, clock, viewer } = context
  const now = clock.now()
  const since = monthStart(now)
  const all = ownServices(projectId, context).flatMap(({ id }) => state.deployments.of(id))
  const active = all.filter((deployment) => progressOf(deployment, now).status === 'ACTIVE')
  const sum = (values: readonly number[]) => toInt(values.reduce((total, value) => total + value, 0))
  const millicores = sum(active.map(({ resources }) => resources.cpu * 1000))
  const memoryMb = sum(active.map(({ resources }) => (gibibytes(resources.memory) ?? 0) * 1024))
  const cents = projectId
    ? sum(all.map((deployment) => costCents(deployment, since, now)))
    : toInt(spentCents(state, viewer(), since, now))
  return {
    compute: {
      activeDeploys: active.length,
      totalCpuMillicores: millicores,
      totalMemoryMb: memoryMb,
      formatted: `${millicores / 1000} CPU, ${memoryMb} MB`,
    },
    deployments: { active: active.length, total: all.length, formatted: `${active.length} of ${all.length}` },
    spend: { currentMonthCents: cents, formatted: `$${(cents / 100).toFixed(2)}` },
  }
}

export const workspaceMetricsResolvers = { Query: { workspaceMetrics } }
