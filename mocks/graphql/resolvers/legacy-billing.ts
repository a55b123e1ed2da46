import { deploymentsOf, spentCents } from '../balance.ts'
import type { Context } from '../context.ts'
import { activeMs } from '../deployment.ts'
import { badInput, notFound } from '../errors.ts'
import { newId } from '../identifier.ts'
import {
  type Invoice,
  invoiceStatus,
  isActive,
  type Payment,
  type PaymentMethod,
  type Plan,
  plans,
  type Subscription,
  totalOf,
} from '../legacy-billing.ts'
import { monthStart, nextMonth } from '../month.ts'
import type { Table } from '../table.ts'

interface ById {
  readonly id: string
}

/** The row with this id where the viewer owns it; another's is as unknown as one that is not there. */
function own<Row extends { readonly id: string; readonly user: string }>(
  table: Table<Row>,
  what: string,
  id: string,
  { viewer }: Context,
): Row {
  const row = table.get(id)
  if (row?.user !== viewer()) throw notFound(`${what} not found`)
  return row
}

const newestFirst = <Row extends { readonly id: string }>(table: Table<Row>, { viewer }: Context) =>
  table.of(viewer()).reverse()

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

function makeDefault(method: PaymentMethod, { state }: Context): PaymentMethod {
  for (const other of state.paymentMethods.of(method.user)) {
    state.paymentMethods.put({ ...other, isDefault: other.id === method.id })
  }
  return state.paymentMethods.put({ ...method, isDefault: true })
}

interface AddArguments {
  readonly input: {
    readonly stripePaymentMethodId?: string | null
    readonly walletAddress?: string | null
    readonly blockchain?: string | null
    readonly setAsDefault?: boolean | null
  }
}

function addPaymentMethod(_: unknown, { input }: AddArguments, context: Context): PaymentMethod {
  const { state, clock, viewer } = context
  const { stripePaymentMethodId, walletAddress, blockchain } = input
  if ((stripePaymentMethodId == null) === (walletAddress == null)) {
    throw badInput('A payment method is either a card (stripePaymentMethodId) or a wallet (walletAddress)')
  }
  const first = state.paymentMethods.of(viewer()).length === 0
  const method = state.paymentMethods.put({
    id: newId('pm'),
    user: viewer(),
    isDefault: false,
    createdAt: clock.now(),
    ...(walletAddress == null
      ? { type: 'CARD', cardBrand: 'visa', cardLast4: '4242', cardExpMonth: 12, cardExpYear: 2099 }
      : { type: 'CRYPTO_WALLET', walletAddress, blockchain: blockchain ?? 'ethereum' }),
  })
  return first || input.setAsDefault ? makeDefault(method, context) : method
}

function removePaymentMethod(_: unknown, { id }: ById, context: Context): boolean {
  context.state.paymentMethods.delete(own(context.state.paymentMethods, 'Payment method', id, context).id)
  return true
}

const setDefaultPaymentMethod = (_: unknown, { id }: ById, context: Context): PaymentMethod =>
  makeDefault(own(context.state.paymentMethods, 'Payment method', id, context), context)

function activeSubscription(_: unknown, __: unknown, context: Context): Subscription | undefined {
  const now = context.clock.now()
  return newestFirst(context.state.subscriptions, context).find((row) => isActive(row, now))
}

interface SubscribeArguments {
  readonly input: { readonly plan: Plan; readonly seats?: number | null }
}

const checkedSeats = (seats: number) => {
  if (seats < 1) throw badInput('A subscription has at least one seat')
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

function generateInvoice(
  _: unknown,
  { subscriptionId }: { subscriptionId: string },
  context: Context,
): Invoice {
  const { state, clock, viewer } = context
  const { plan, seats } = own(state.subscriptions, 'Subscription', subscriptionId, context)
  const now = clock.now()
  const unitPrice = plans[plan].basePricePerSeat * 100
  const number = state.invoices.of(viewer()).length + 1
  return state.invoices.put({
    id: newId('inv'),
    user: viewer(),
    invoiceNumber: `INV-${String(number).padStart(4, '0')}`,
    lineItems: [
      {
        id: newId('line'),
        description: `${plan}, seats`,
        quantity: seats,
        unitPrice,
        amount: seats * unitPrice,
      },
    ],
    amountPaid: 0,
    periodStart: monthStart(now),
    periodEnd: nextMonth(now),
    dueDate: nextMonth(now),
    createdAt: now,
  })
}

interface InvoicesArguments {
  readonly status?: string | null
  readonly limit?: number | null
}

const invoices = (_: unknown, { status, limit }: InvoicesArguments, context: Context): Invoice[] =>
  newestFirst(context.state.invoices, context)
    .filter((invoice) => status == null || invoiceStatus(invoice) === status)
    .slice(0, Math.max(0, limit ?? 50))

function invoice(_: unknown, { id }: ById, { state, viewer }: Context): Invoice | null {
  const found = state.invoices.get(id)
  return found?.user === viewer() ? found : null
}

interface PayInput {
  readonly amount: number
  readonly currency?: string | null
  readonly invoiceId?: string | null
  readonly txHash?: string
  readonly blockchain?: string
}

function pay(input: PayInput, context: Context): Payment {
  const { state, clock, viewer } = context
  if (input.amount < 1) throw badInput('A payment is at least one cent')
  const now = clock.now()
  if (input.invoiceId != null) {
    const due = own(state.invoices, 'Invoice', input.invoiceId, context)
    const amountPaid = due.amountPaid + input.amount
    const paid = { ...due, amountPaid }
    state.invoices.put(invoiceStatus(paid) === 'PAID' ? { ...paid, paidAt: now } : paid)
  }
  return state.payments.put({
    id: newId('pay'),
    user: viewer(),
    amount: input.amount,
    currency: input.currency ?? 'usd',
    createdAt: now,
    ...(input.txHash === undefined ? {} : { txHash: input.txHash }),
    ...(input.blockchain === undefined ? {} : { blockchain: input.blockchain }),
  })
}

function currentUsage(_: unknown, __: unknown, { state, clock, viewer }: Context) {
  const now = clock.now()
  const since = monthStart(now)
  const total = Math.round(spentCents(state, viewer(), since, now))
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

export const legacyBillingResolvers = {
  Query: {
    customer,
    paymentMethods: (_: unknown, __: unknown, { state, viewer }: Context) =>
      state.paymentMethods.of(viewer()),
    subscriptions: (_: unknown, __: unknown, context: Context) =>
      newestFirst(context.state.subscriptions, context),
    activeSubscription,
    invoices,
    invoice,
    currentUsage,
  },
  Mutation: {
    createSubscription,
    cancelSubscription,
    updateSubscriptionSeats,
    addPaymentMethod,
    removePaymentMethod,
    setDefaultPaymentMethod,
    processPayment: (_: unknown, input: PayInput, context: Context) => pay(input, context),
    recordCryptoPayment: (_: unknown, { input }: { input: PayInput }, context: Context) =>
      pay(input, context),
    generateInvoice,
  },
  BillingSubscription: {
    status: (subscription: Subscription, _: unknown, { clock }: Context) =>
      isActive(subscription, clock.now()) ? 'ACTIVE' : 'CANCELED',
    basePricePerSeat: ({ plan }: Subscription) => plans[plan].basePricePerSeat,
    usageMarkup: ({ plan }: Subscription) => plans[plan].usageMarkup,
    currentPeriodStart: (_: Subscription, __: unknown, { clock }: Context) => monthStart(clock.now()),
    currentPeriodEnd: (_: Subscription, __: unknown, { clock }: Context) => nextMonth(clock.now()),
  },
  Invoice: {
    status: invoiceStatus,
    subtotal: totalOf,
    tax: () => 0,
    total: totalOf,
    amountDue: (row: Invoice) => Math.max(0, totalOf(row) - row.amountPaid),
    currency: () => 'usd',
  },
  Payment: { status: () => 'SUCCEEDED' },
}
