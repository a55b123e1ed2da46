import type { HttpClient } from '../http.ts'
import type { Thing } from '../journal/thing.ts'
import { type Of, ofKind } from './of-kind.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { Remaining, Remover } from './remover.ts'

/**
 * Unpins what a run pinned, takes the topmost block of what it added, so that the content is not found again, and
 * switches off the faults that it switched on. The blocks below are the node's to collect, as they may be shared.
 */
export async function cleanStorage(
  http: HttpClient,
  url: string,
  things: readonly Thing[],
  remover: Remover,
): Promise<readonly Remaining[]> {
  const [faults, pins] = await Promise.all([
    remover.remove(ofKind(things, 'fault'), async (fault) =>
      outcomeOf('DELETE of a fault', await http.request('DELETE', fault.url)),
    ),
    remover.remove(ofKind(things, 'pin'), (pin) => unpin(http, url, pin)),
  ])
  const blocks = await remover.remove(ofKind(things, 'block'), async ({ cid }) => {
    const query = new URLSearchParams({ arg: cid, force: 'true' })
    await http.request('POST', `${url}/api/v0/block/rm?${query}`)
    // Where it is refused, the block is pinned by now, or the node collects it in its time.
    return 'gone'
  })
  return [...faults, ...pins, ...blocks]
}

async function unpin(http: HttpClient, url: string, { cid, unclear }: Of<'pin'>): Promise<Outcome> {
  if (unclear) return { reason: 'it may have been pinned before the run', again: false }
  const answer = await http.request('POST', `${url}/api/v0/pin/rm?${new URLSearchParams({ arg: cid })}`)
  if (/not pinned/.test(answer.text())) return 'gone'
  const outcome = outcomeOf('pin/rm', answer)
  // A node without the command answers 404; that is no word on the pin.
  if (outcome !== 'gone' || answer.status === 200) return outcome
  return { reason: `pin/rm answered ${answer.status}`, again: false, unsupported: true }
}
