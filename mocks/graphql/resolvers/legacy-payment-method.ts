import type { Context } from '../context.ts'
import { badInput } from '../errors.ts'
import { newId } from '../identifier.ts'
import type { PaymentMethod } from '../legacy-billing.ts'
import { own } from '../legacy-ownership.ts'

interface ById {
  readonly id: string
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

export const legacyPaymentMethodResolvers = {
  Query: {
    paymentMethods: (_: unknown, __: unknown, { state, viewer }: Context) =>
      state.paymentMethods.of(viewer()),
  },
  Mutation: { addPaymentMethod, removePaymentMethod, setDefaultPaymentMethod },
}
