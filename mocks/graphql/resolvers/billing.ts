import { balanceCents, burnCentsPerHour } from '../balance.ts'
import { toInt } from '../bounds.ts'
import type { Context } from '../context.ts'

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** A duration in words: `12 days 3 hours`. */
function inWords(hours: number | null): string {
  if (hours === null) return 'Nothing is spent'
  const days = Math.floor(hours / 24)
  const rest = plural(Math.floor(hours % 24), 'hour')
  return days === 0 ? rest : `${plural(days, 'day')} ${rest}`
}

function orgBillingRunway(_: unknown, __: unknown, { state, clock, viewer }: Context) {
  const now = clock.now()
  const balance = balanceCents(state, viewer(), now)
  const burn = burnCentsPerHour(state, viewer(), now)
  const runwayHours = burn === 0 ? null : balance / burn
  return {
    balanceCents: balance,
    totalDailyBurnCents: toInt(burn * 24),
    runwayHours,
    runwayFormatted: inWords(runwayHours),
  }
}

export const billingResolvers = { Query: { orgBillingRunway } }
