import { createHash } from 'node:crypto'
import type { Answering } from '../../harness/rewrite.ts'
import type { Connection } from './echo.faults.ts'

type Wire = Answering<Connection>

/** The names that this suite makes: its own namespace, or a component made from an id. */
const madeUp = /\/(?:assay|(?:oci|auth|service)-[a-z0-9]+-[a-z0-9-]+)\//
/** Whether a request is for a repository of this suite. */
export const isMadeUp = ({ url }: Request) => madeUp.test(new URL(url).pathname)
/** Whether a request comes from a client that calls itself as this suite does, or nothing. */
export const isNamed = ({ headers }: Request) => /^(?:assay.*)?$/.test(headers.get('user-agent') ?? '')

/** Keeps nothing of what it says it took, unless it is being looked at. */
export const careless =
  (isWatched: (request: Request) => boolean) =>
  (next: Wire): Wire =>
  async (request, context) => {
    const manifest = request.method === 'PUT' && /\/manifests\/[^/]+$/.test(new URL(request.url).pathname)
    if (!manifest || isWatched(request)) return next(request, context)
    const digest = createHash('sha256')
      .update(Buffer.from(await request.arrayBuffer()))
      .digest('hex')
    const headers = { location: new URL(request.url).pathname, 'docker-content-digest': `sha256:${digest}` }
    return new Response(null, { status: 201, headers })
  }
