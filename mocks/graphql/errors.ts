import { GraphQLError } from 'graphql'

/** What `extensions.code` of an error of this service can be, beside those of a document that cannot be run. */
export type PlatformErrorCode =
  | 'UNAUTHENTICATED'
  | 'UNAUTHORIZED'
  | 'NOT_FOUND'
  | 'BAD_USER_INPUT'
  | 'BAD_REQUEST'
  | 'INSUFFICIENT_BALANCE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'MAX_TOKENS_EXCEEDED'

/** An error that the client is meant to see, with a code that it can act on. */
export function platformError(
  message: string,
  code: PlatformErrorCode,
  extensions: Readonly<Record<string, unknown>> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...extensions } })
}

/** The error for a value that the schema lets through and the platform does not. */
export const badInput = (message: string): GraphQLError => platformError(message, 'BAD_USER_INPUT')

/** The error for what is not there. */
export const notFound = (message: string): GraphQLError => platformError(message, 'NOT_FOUND')

/** The one answer to a missing, malformed, unknown, expired or revoked token (specification, section 5.2). */
export const notAuthenticated = (): GraphQLError => platformError('Not authenticated', 'UNAUTHENTICATED')

/** A refusal by HTTP itself, before there is anything to execute: the only errors whose status is not 200. */
export const refusedByHttp = (
  message: string,
  status: 405 | 415,
  headers: Readonly<Record<string, string>>,
): GraphQLError => platformError(message, 'BAD_REQUEST', { http: { status, headers } })

/** The error for a document that asks for too much, with the limit, what the document has, and what to do instead. */
export function overLimit(
  limit: 'complexity' | 'depth' | 'aliases' | 'tokens' | 'nesting',
  message: string,
  allowed: number,
  actual: number,
  how: string,
): GraphQLError {
  return new GraphQLError(`${message}; at most ${allowed} is allowed. ${how}.`, {
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', limit, allowed, actual },
  })
}
