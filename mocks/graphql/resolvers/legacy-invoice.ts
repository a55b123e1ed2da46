import type { Context } from '../context.ts'
import { badInput } from '../errors.ts'
import { newId } from '../identifier.ts'
import { amountDue, type Invoice, invoiceStatus, type Payment, plans, totalOf } from '../legacy-billing.ts'
import { newestFirst, own } from '../legacy-ownership.ts'
import { monthStart, nextMonth } from '../month.ts'

interface ById {
  readonly id: string
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
    const invoice = own(state.invoices, 'Invoice', input.invoiceId, context)
    if (input.amount > amountDue(invoice)) throw badInput('A payment is at most what is due')
    const paid = { ...invoice, amountPaid: invoice.amountPaid + input.amount }
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

export const legacyInvoiceResolvers = {
  Query: { invoices, invoice },
  Mutation: {
    generateInvoice,
    processPayment: (_: unknown, input: PayInput, context: Context) => pay(input, context),
    recordCryptoPayment: (_: unknown, { input }: { input: PayInput }, context: Context) =>
      pay(input, context),
  },
  Invoice: {
    status: invoiceStatus,
    subtotal: totalOf,
    tax: () => 0,
    total: totalOf,
    amountDue,
    currency: () => 'usd',
  },
  Payment: { status: () => 'SUCCEEDED' },
}
