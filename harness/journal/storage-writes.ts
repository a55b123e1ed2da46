import type { Answer } from '../answer.ts'
import type { HttpClient } from '../http.ts'
import type { JournalEvent } from './event.ts'
import type { Outgoing, Recognised, Recogniser } from './observer.ts'
import type { Thing } from './thing.ts'

type Pin = Extract<Thing, { kind: 'pin' }>
type Block = Extract<Thing, { kind: 'block' }>
type Ownership = 'ours' | 'foreign' | 'unclear'

/**
 * Recognises pins and content on a storage node. A CID is known only from an answer, and content is often on a node
 * already. So before content is added the node is asked what CIDs it would get (`only-hash`), whether they are pinned
 * and whether they are there: what is, is not the run's to remove.
 */
export function storageWrites(url: string, http: HttpClient): Recogniser {
  const api = `${url}/api/v0/`
  const ask = (command: string, query: Readonly<Record<string, string>>) =>
    http.request('POST', `${api}${command}?${new URLSearchParams(query)}`).catch(() => undefined)
  const pinned = once(async (arg): Promise<Ownership> => {
    const answer = await ask('pin/ls', { arg, type: 'recursive' })
    if (answer?.status === 200) return 'foreign'
    return answer && /not pinned/.test(answer.text()) ? 'ours' : 'unclear'
  })
  const absent = once(async (arg) => {
    const answer = await ask('block/stat', { arg, offline: 'true' })
    return answer !== undefined && answer.status !== 200 && /not f(?:ind|ound)/.test(answer.text())
  })
  const pins = async (cids: readonly string[]): Promise<readonly Pin[]> => {
    const found = await Promise.all(cids.map(async (cid) => [cid, await pinned(cid)] as const))
    return found.flatMap(([cid, whose]) =>
      whose === 'foreign'
        ? []
        : [{ kind: 'pin', cid, ...(whose === 'unclear' && { unclear: true as const }) }],
    )
  }
  const blocks = async (cids: readonly string[]): Promise<readonly Block[]> => {
    const found = await Promise.all(cids.map(async (cid) => ((await absent(cid)) ? [cid] : [])))
    return found.flat().map((cid) => ({ kind: 'block', cid }))
  }
  return {
    async recognise(request) {
      if (request.method !== 'POST' || !request.url.startsWith(api)) return undefined
      const { pathname, searchParams } = new URL(request.url)
      if (pathname.endsWith('/api/v0/pin/add')) return adding(await pins(searchParams.getAll('arg')), false)
      if (!pathname.endsWith('/api/v0/add') || isOn(searchParams.get('only-hash'))) return undefined
      const cids = await cidsToBe(request, http)
      const isPinning = !searchParams.has('pin') || isOn(searchParams.get('pin'))
      const [own, fresh] = await Promise.all([isPinning ? pins(cids) : [], blocks(cids)])
      return adding([...own, ...fresh], isPinning && cids.length === 0)
    },
  }
}

/** What holds before the first request of the run holds for all of them. */
function once<T>(look: (cid: string) => Promise<T>): (cid: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (cid) => {
    const found = known.get(cid) ?? look(cid)
    known.set(cid, found)
    return found
  }
}

const isOn = (value: string | null) => value !== null && /^(?:true|t|1)$/i.test(value)

async function cidsToBe({ url, headers, body }: Outgoing, http: HttpClient): Promise<readonly string[]> {
  const options = { headers, ...(body && { body }) }
  const asked = await http.request('POST', withOnlyHash(url), options).catch(() => undefined)
  return asked?.status === 200 ? cidsIn(asked) : []
}

const withOnlyHash = (url: string) => `${url}${url.includes('?') ? '&' : '?'}only-hash=true`

/** A pin that was not foretold may have been there before. */
function adding(making: readonly Thing[], isUnforetold: boolean): Recognised {
  return {
    making,
    settled(answer) {
      if (answer.status !== 200 || !isUnforetold) return settledByApi(making, answer)
      return [{ made: cidsIn(answer).map((cid) => ({ kind: 'pin', cid, unclear: true })) }]
    },
  }
}

/** The API answers 500 to whatever it did not do. */
function settledByApi(making: readonly Thing[], { status }: Answer): readonly JournalEvent[] {
  if (making.length === 0) return []
  return [status === 200 ? { made: making } : { refused: making }]
}

/** The CIDs of an answer to `add`: one line of JSON for each file. */
function cidsIn(answer: Answer): readonly string[] {
  return [...answer.text().matchAll(/"Hash":\s*"([^"]+)"/g)].map(([, cid = '']) => cid)
}
