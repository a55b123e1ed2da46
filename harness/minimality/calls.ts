import { isDeepStrictEqual } from 'node:util'
import { withinPatience } from './patience.ts'

/** An object of objects of methods, such as the stores of a service. */
export type Parts = Readonly<Record<string, Methods>>
type Methods = Readonly<Record<string, Method>>
type Method = (...args: readonly unknown[]) => unknown

/** A call of a method, as it is without a fault. */
export interface Call {
  readonly part: string
  readonly method: string
  readonly args: readonly unknown[]
  readonly outcome: Outcome
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** The same parts, whose methods tell of each call once it is done. */
export function listening(parts: Parts, onCall: (call: Promise<Call>) => void): Parts {
  return eachMethod(parts, (part, method, real) => (...args) => {
    const result = real(...args)
    onCall(outcomeOf(result).then((outcome) => ({ part, method, args, outcome })))
    return result
  })
}

/** Shows one fault a call; whether the fault would have changed it. */
export type CallShadow = (call: Call) => Promise<boolean>

/**
 * A fault at work beside what goes on behind a service: it changes a call where it does not pass on the same arguments
 * to the same method, once, and give back the same result.
 */
export function callShadowOf(parts: Parts, seam: (parts: Parts) => Parts): CallShadow {
  let shown: Call | undefined
  let passed: readonly unknown[][] = []
  const real = eachMethod(parts, (part, method) => async (...args) => {
    if (shown?.part !== part || shown.method !== method) throw new Error(`${part}.${method} was not called`)
    passed = [...passed, [...args]]
    if ('error' in shown.outcome) throw shown.outcome.error
    return shown.outcome.value
  })
  const faulty = seam(real)
  return async (call) => {
    const { part, method, args, outcome } = call
    const other = faulty[part]?.[method]
    if (other === real[part]?.[method]) return false
    if (!other || [...args, outcome].some(isStreamed)) return true
    shown = call
    passed = []
    const given = await withinPatience(() => outcomeOf(other(...args)))
    return !isDeepStrictEqual(given, outcome) || !isDeepStrictEqual(passed, [[...args]])
  }
}

function eachMethod(
  parts: Parts,
  change: (part: string, method: string, real: Method) => Method,
): Record<string, Record<string, Method>> {
  return Object.fromEntries(
    Object.entries(parts).map(([part, methods]) => [
      part,
      Object.fromEntries(
        Object.entries(methods).map(([method, real]) => [method, change(part, method, real)]),
      ),
    ]),
  )
}

const outcomeOf = async (result: unknown): Promise<Outcome> => {
  try {
    return { value: await result }
  } catch (error) {
    return { error }
  }
}

/** What can be read once only is not for several to look at. */
const isStreamed = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Symbol.asyncIterator in value || Object.values(value).some(isStreamed))
