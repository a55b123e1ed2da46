import type { Answer } from '../answer.ts'
import type { HttpClient } from '../http.ts'
import type { Outgoing, Recognised, Recogniser } from './observer.ts'
import type { Thing } from './thing.ts'

type Pin = Extract<Thing, { kind: 'pin' }>
type Ownership = 'ours' | 'foreign' | 'unclear'

/**
 * Recognises pins on a storage node. A CID is known only from an answer, and content is often on a node already. So
 * before content is added the node is asked what CIDs it would get (`only-hash`), and whether they are pinned: what is,
 * is not the run's to unpin. Blocks without a pin are the node's to collect.
 */
export function storageWrites(url: string, http: HttpClient): Recogniser {
  const api = `${url}/api/v0/`
  const owned = new Map<string, Promise<Ownership>>()
  const ownership = (cid: string) => {
    const known = owned.get(cid) ?? ask(cid)
    owned.set(cid, known)
    return known
  }
  const ask = async (cid: string): Promise<Ownership> => {
    const query = new URLSearchParams({ arg: cid, type: 'recursive' })
    const answer = await http.request('POST', `${api}pin/ls?${query}`).catch(() => undefined)
    if (answer?.status === 200) return 'foreign'
    return answer && /not pinned/.test(answer.text()) ? 'ours' : 'unclear'
  }
  const pins = async (cids: readonly string[]): Promise<readonly Pin[]> => {
    const found = await Promise.all(cids.map(async (cid) => [cid, await ownership(cid)] as const))
    return found.flatMap(([cid, whose]) =>
      whose === 'foreign'
        ? []
        : [{ kind: 'pin', cid, ...(whose === 'unclear' && { unclear: true as const }) }],
    )
  }
  return {
    async recognise(request) {
      if (request.method !== 'POST' || !request.url.startsWith(api)) return undefined
      const { pathname, searchParams } = new URL(request.url)
      if (pathname.endsWith('/api/v0/pin/add')) return pinning(await pins(searchParams.getAll('arg')))
      if (!pathname.endsWith('/api/v0/add') || isOn(searchParams.get('only-hash'))) return undefined
      if (searchParams.has('pin') && !isOn(searchParams.get('pin'))) return undefined
      return adding(await pins(await cidsToBe(request, http)))
    },
  }
}

const isOn = (value: string | null) => value !== null && /^(?:true|t|1)$/i.test(value)

async function cidsToBe({ url, headers, body }: Outgoing, http: HttpClient): Promise<readonly string[]> {
  const options = { headers, ...(body && { body }) }
  const asked = await http.request('POST', withOnlyHash(url), options).catch(() => undefined)
  return asked?.status === 200 ? cidsIn(asked) : []
}

const withOnlyHash = (url: string) => `${url}${url.includes('?') ? '&' : '?'}only-hash=true`

/** The API answers 500 to whatever it did not do. */
function pinning(pins: readonly Pin[]): Recognised {
  return {
    making: pins,
    settled({ status }) {
      if (pins.length === 0) return []
      return [status === 200 ? { made: pins } : { refused: pins }]
    },
  }
}

/** A CID that was not foretold may have been pinned before. */
function adding(foretold: readonly Pin[]): Recognised {
  const foreseen = pinning(foretold)
  return {
    ...foreseen,
    settled(answer) {
      if (answer.status !== 200 || foretold.length > 0) return foreseen.settled?.(answer) ?? []
      return [{ made: cidsIn(answer).map((cid) => ({ kind: 'pin', cid, unclear: true })) }]
    },
  }
}

/** The CIDs of an answer to `add`: one line of JSON for each file. */
function cidsIn(answer: Answer): readonly string[] {
  return [...answer.text().matchAll(/"Hash":\s*"([^"]+)"/g)].map(([, cid = '']) => cid)
}
