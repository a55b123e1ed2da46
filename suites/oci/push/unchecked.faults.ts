import type { Seams } from '../../../mocks/control/fault.ts'
import { misread, storing } from '../seams.faults.ts'
import { errorAnswer, sha256, type Wire } from '../wire.ts'
import { uploading } from './upload-wire.ts'

/** What came up under a digest that the client named. */
export interface Claim {
  readonly digest: string
  readonly size: number
  readonly chunked: boolean
  /** Content of this digest came up before. */
  readonly known: boolean
}

/** What becomes of content that is not checked. */
interface Outcome {
  /** The client is told that it was not taken. */
  readonly refused?: boolean
  /** The digest under which it is served: the one that the client named, or its own. */
  readonly under?: 'named' | 'own'
}

/**
 * Takes whatever came up for the digest that the client named, where `skips` says so, and serves it under that.
 */
export function unchecked(
  skips: (claim: Claim) => boolean,
  { refused = false, under = 'named' }: Outcome = {},
): Seams {
  const named = new Map<string, string>()
  const known = new Set<string>()
  const chunks = new Map<string, Uint8Array[]>()
  const remember = (path: string, body: Uint8Array) => {
    chunks.set(path, [...(chunks.get(path) ?? []), body])
  }
  const blind = misread(
    ({ method, url }) => ['PATCH', 'PUT', 'POST'].includes(method) && uploading.test(new URL(url).pathname),
    ({ url, body }) => {
      const digest = url.searchParams.get('digest')
      if (digest === null) return remember(url.pathname, body) ?? {}
      const earlier = chunks.get(url.pathname) ?? []
      const whole = Buffer.concat([...earlier, body])
      const own = sha256(whole)
      if (own === digest) known.add(digest)
      const claim = { digest, size: whole.length, chunked: earlier.length > 0, known: known.has(digest) }
      if (own === digest || !skips(claim)) return {}
      named.set(digest, own)
      url.searchParams.set('digest', own)
      return { url }
    },
  )
  const isHidden = (digest: string) => !known.has(digest) && [...named.values()].includes(digest)
  return {
    registry: (next: Wire): Wire => {
      const taking = blind(next)
      return async (request, context) => {
        const answer = await taking(request, context)
        const digest = new URL(request.url).searchParams.get('digest') ?? ''
        return refused && named.has(digest) ? errorAnswer(400, 'DIGEST_INVALID') : answer
      }
    },
    ...(under === 'named' &&
      storing('blobs', (blobs) => ({
        find: async (name, digest) => {
          const stored = named.get(digest)
          return stored === undefined && isHidden(digest) ? undefined : blobs.find(name, stored ?? digest)
        },
      }))),
  }
}
