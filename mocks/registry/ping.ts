import type { Route } from './call.ts'

/** https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#determining-support */
export const pingRoutes: readonly Route[] = [
  { path: /^\/v2\/?$/, methods: { GET: { access: 'token', handle: () => Response.json({}) } } },
]
