import { manifestTypes } from '../../../fixtures/media-types.ts'
import { rewriting, to } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import type { NewManifest } from '../../../mocks/registry/stores.ts'
import { heading, type Reading, storing } from '../seams.faults.ts'
import { errorAnswer, path, sha256, type Wire } from '../wire.ts'

/** Ways to stand in front of what a registry does with a pushed manifest. */

const { manifest } = path

export const pushed = (headers: (response: Response, request: Request) => Record<string, string | null>) =>
  heading('PUT', manifest, 201, headers)

/** Reads a pushed manifest as JSON; a body that is none has no members. */
export function membersOf(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Refuses manifests that have something the specification allows. */
export const refusing = (
  has: (members: Readonly<Record<string, unknown>>, reading: Reading) => boolean,
  status = 400,
): Seams => ({
  registry:
    (next: Wire): Wire =>
    async (request, context) => {
      if (!to('PUT', manifest)(request)) return next(request, context)
      const body = new Uint8Array(await request.arrayBuffer())
      const { url, headers } = request
      const refused = has(membersOf(body), { url: new URL(url), headers, body })
      return refused
        ? errorAnswer(status, 'MANIFEST_INVALID')
        : next(new Request(url, { method: 'PUT', headers, body }), {})
    },
})

/** Stores what it refuses: the refusal is the registry's own, and a client that asks is served. */
export const keeping = (kept: (reference: string) => boolean): Seams => ({
  registry: (next: Wire): Wire => {
    const stored = new Map<string, Response>()
    return async (request, context) => {
      const { pathname } = new URL(request.url)
      const refused = stored.get(pathname)
      if (to('PUT', manifest)(request)) {
        const body = await request.arrayBuffer()
        const { url, headers } = request
        const answer = await next(new Request(url, { method: 'PUT', headers, body }), {})
        const digest = sha256(new Uint8Array(body))
        for (const reference of [digest, pathname.split('/').at(-1) ?? '']) {
          if (answer.status < 400 || !kept(reference)) continue
          stored.set(
            pathname.replace(/[^/]+$/, reference),
            new Response(body, { headers: { 'content-type': manifestTypes.ociManifest } }),
          )
        }
        return answer
      }
      const answer = await next(request, context)
      return refused && answer.status === 404 ? refused.clone() : answer
    }
  },
})

export const changed = (change: (pushedOne: NewManifest) => NewManifest): Seams =>
  storing('manifests', (manifests) => ({ put: (name, one, tags) => manifests.put(name, change(one), tags) }))

export const recoded = (from: string, code: string): Seams => ({
  registry: rewriting(to('PUT', manifest), async (response) => {
    if (response.status < 400) return response
    const text = (await response.text()).replaceAll(from, code)
    return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } })
  }),
})

export const typeOf = ({ headers }: Reading) => headers.get('content-type') ?? ''
export const configOf = ({ config }: Readonly<Record<string, unknown>>) => JSON.stringify(config ?? {})
