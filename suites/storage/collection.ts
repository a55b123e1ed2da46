import type { Answer } from '../../harness/answer.ts'
import { need } from '../push.ts'
import type { StorageNode } from './node.ts'
import { unlessSilent } from './patience.ts'

const turns = new Map<string, Promise<unknown>>()

/**
 * Does work that a collection by another requirement would disturb, and that has unpinned content: such work goes one
 * after the other on a node. All else that is added meanwhile is pinned.
 */
export function inTurn<T>({ url }: Pick<StorageNode, 'url'>, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(url) ?? Promise.resolve()).then(work, work)
  turns.set(
    url,
    turn.catch(() => undefined),
  )
  return turn
}

/** Collects garbage. `skip` is called where the node has no such command. */
export async function collect(storage: StorageNode, skip: (note: string) => never): Promise<void> {
  const answer = await storage.rpc('repo/gc')
  if ([404, 405, 501].includes(answer.status)) skip('the node does not collect when it is told to')
  need('collecting garbage', answer, 200)
}

/** Reads content that may be gone; a node with peers would look for it elsewhere, so it is asked to give up early. */
export const readIfThere = (storage: StorageNode, cid: string): Promise<Answer | undefined> =>
  unlessSilent(storage.cat(cid, { timeout: '2s' }), 10)
