import { errors } from 'undici'

/** The reason of an abort because nothing worth mentioning happened in time. */
export class Silence extends Error {}

const socketFailures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed while the request was being sent',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name does not resolve at the moment',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'no connection in time',
}

/** What went wrong between us and the target, in a few words without a stack. */
export function describeFailure(error: unknown, timeoutMs: number): string {
  const seconds = `${timeoutMs / 1000} s`
  if (error instanceof Silence) return `no answer within ${seconds}`
  if (error instanceof errors.ConnectTimeoutError) return `no connection within ${seconds}`
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return `no answer within ${seconds}`
  }
  if (error instanceof errors.HTTPParserError) return `malformed HTTP (${error.message})`
  if (error instanceof errors.ResponseContentLengthMismatchError) {
    return 'the body does not have the length that Content-Length says'
  }
  if (error instanceof errors.SocketError) return `connection closed before the answer was complete`
  const { code, message } = error as NodeJS.ErrnoException
  return (code && socketFailures[code]) ?? message ?? String(error)
}
