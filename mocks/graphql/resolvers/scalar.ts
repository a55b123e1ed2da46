import { Kind, type ValueNode } from 'graphql'
import { badInput } from '../errors.ts'

const iso8601 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/

function fromText(value: unknown): number {
  const ms = typeof value === 'string' && iso8601.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(ms))
    throw badInput('A Date is a text in the form of ISO 8601, such as 2026-01-31T12:00:00Z')
  return ms
}

/** Moments are milliseconds inside and ISO 8601 in UTC outside. */
export const scalarResolvers = {
  Date: {
    __serialize: (ms: number) => new Date(ms).toISOString(),
    __parseValue: fromText,
    __parseLiteral: (node: ValueNode) => fromText(node.kind === Kind.STRING ? node.value : undefined),
  },
}
