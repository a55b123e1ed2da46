import type { Context } from '../context.ts'
import { badInput } from '../errors.ts'
import { newId } from '../identifier.ts'
import { isActive, type Plan, plans, type Subscription } from '../legacy-billing.ts'
import { newestFirst, own } from '../legacy-ownership.ts'
import { monthStart, nextMonth } from '../month.ts'

interface ById {
  readonly id: string
}

function activeSubscription(_: unknown, __: unknown, context: Context): Subscription | undefined {
  const now = context.clock.now()
  return newestFirst(context.state.subscriptions, context).find((row) => isActive(row, now))
}

interface SubscribeArguments {
  readonly input: { readonly plan: Plan; readonly seats?: number | null }
}

const mostSeats = 10_000

const checkedSeats = (seats: number) => {
  if (seats < 1 || seats > mostSeats) throw badInput(`A subscription has 1 to ${mostSeats} seats`)
  return seats
}

function createSubscription(_: unknown, { input }: SubscribeArguments, context: Context): Subscription {
  const { state, clock, viewer } = context
  const now = clock.now()
  const seats = checkedSeats(input.seats ?? 1)
  const old = activeSubscription(undefined, undefined, context)
  if (old) state.subscriptions.put({ ...old, cancelAt: now, updatedAt: now })
  return state.subscriptions.put({
    id: newId('sub'),
    user: viewer(),
    plan: input.plan,
    seats,
    createdAt: now,
    updatedAt: now,
  })
}

function cancelSubscription(_: unknown, args: ById & { immediately?: boolean | null }, context: Context) {
  const subscription = own(context.state.subscriptions, 'Subscription', args.id, context)
  const now = context.clock.now()
  const cancelAt = args.immediately ? now : nextMonth(now)
  return context.state.subscriptions.put({ ...subscription, cancelAt, updatedAt: now })
}

function updateSubscriptionSeats(_: unknown, { id, seats }: ById & { seats: number }, context: Context) {
  const subscription = own(context.state.subscriptions, 'Subscription', id, context)
  const updatedAt = context.clock.now()
  return context.state.subscriptions.put({ ...subscription, seats: checkedSeats(seats), updatedAt })
}

export const legacySubscriptionResolvers = {
  Query: {
    subscriptions: (_: unknown, __: unknown, context: Context) =>
      newestFirst(context.state.subscriptions, context),
    activeSubscription,
  },
  Mutation: { createSubscription, cancelSubscription, updateSubscriptionSeats },
  BillingSubscription: {
    status: (subscription: Subscription, _: unknown, { clock }: Context) =>
      isActive(subscription, clock.now()) ? 'ACTIVE' : 'CANCELED',
    basePricePerSeat: ({ plan }: Subscription) => plans[plan].basePricePerSeat,
    usageMarkup: ({ plan }: Subscription) => plans[plan].usageMarkup,
    currentPeriodStart: (_: Subscription, __: unknown, { clock }: Context) => monthStart(clock.now()),
    currentPeriodEnd: (_: Subscription, __: unknown, { clock }: Context) => nextMonth(clock.now()),
  },
}
