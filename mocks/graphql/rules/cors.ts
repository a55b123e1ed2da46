import type { YogaServerOptions } from 'graphql-yoga'

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/** Pages served from this machine may call the API, with their token but without cookies; no other origin may. */
export const corsOfLoopback: NonNullable<YogaServerOptions<object, object>['cors']> = (request) => {
  const origin = request.headers.get('origin')
  if (!origin || !loopback.test(origin)) return false
  return { origin: [origin], credentials: false, methods: ['GET', 'POST', 'OPTIONS'] }
}
