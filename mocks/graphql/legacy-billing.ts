/** Amounts are cents, times milliseconds since the epoch. */
export interface PaymentMethod {
  readonly id: string
  readonly user: string
  readonly type: 'CARD' | 'CRYPTO_WALLET'
  readonly cardBrand?: string
  readonly cardLast4?: string
  readonly cardExpMonth?: number
  readonly cardExpYear?: number
  readonly walletAddress?: string
  readonly blockchain?: string
  readonly isDefault: boolean
  readonly createdAt: number
}

export type Plan = 'FREE' | 'STARTER' | 'PRO' | 'ENTERPRISE'

export interface Subscription {
  readonly id: string
  readonly user: string
  readonly plan: Plan
  readonly seats: number
  readonly cancelAt?: number
  readonly createdAt: number
  readonly updatedAt: number
}

export interface InvoiceLine {
  readonly id: string
  readonly description: string
  readonly quantity: number
  readonly unitPrice: number
  readonly amount: number
}

export interface Invoice {
  readonly id: string
  readonly user: string
  readonly invoiceNumber: string
  readonly lineItems: readonly InvoiceLine[]
  readonly amountPaid: number
  readonly periodStart: number
  readonly periodEnd: number
  readonly dueDate: number
  readonly paidAt?: number
  readonly createdAt: number
}

export interface Payment {
  readonly id: string
  readonly user: string
  readonly amount: number
  readonly currency: string
  readonly txHash?: string
  readonly blockchain?: string
  readonly createdAt: number
}

/** What the plans cost here, in US dollars a seat and month, and what they add to usage. Made up. */
export const plans: Readonly<
  Record<Plan, { readonly basePricePerSeat: number; readonly usageMarkup: number }>
> = {
  FREE: { basePricePerSeat: 0, usageMarkup: 0.2 },
  STARTER: { basePricePerSeat: 10, usageMarkup: 0.15 },
  PRO: { basePricePerSeat: 25, usageMarkup: 0.1 },
  ENTERPRISE: { basePricePerSeat: 100, usageMarkup: 0.05 },
}

/** The sum of an invoice; there is no tax here. */
export const totalOf = ({ lineItems }: Invoice): number =>
  lineItems.reduce((sum, { amount }) => sum + amount, 0)

/** What is still to be paid of an invoice. */
export const amountDue = (invoice: Invoice): number => totalOf(invoice) - invoice.amountPaid

export const invoiceStatus = (invoice: Invoice): 'OPEN' | 'PAID' =>
  amountDue(invoice) === 0 ? 'PAID' : 'OPEN'

/** A subscription counts until the moment that its cancellation takes effect. */
export const isActive = ({ cancelAt }: Subscription, now: number): boolean =>
  cancelAt === undefined || now < cancelAt
