import { GraphQLScalarType, Kind } from 'graphql'
import { platformError } from '../errors.ts'

const iso8601 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/

function fromText(value: unknown): number {
  const ms = typeof value === 'string' && iso8601.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(ms)) {
    throw platformError(
      'A Date is a text in the form of ISO 8601, such as 2026-01-31T12:00:00Z',
      'BAD_USER_INPUT',
    )
  }
  return ms
}

/** Moments are milliseconds inside and ISO 8601 in UTC outside. */
const date = new GraphQLScalarType<number, string>({
  name: 'Date',
  serialize: (value) => new Date(Number(value)).toISOString(),
  parseValue: fromText,
  parseLiteral: (node) => fromText(node.kind === Kind.STRING ? node.value : undefined),
})

export const scalarResolvers = { Date: date }
