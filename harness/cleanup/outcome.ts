import type { Answer } from '../answer.ts'

/** What became of a thing that was to be removed. */
export type Outcome = 'gone' | Left

export interface Left {
  readonly reason: string
  /** Whether trying later may help: the target was not reached, was too slow, or let nobody in. */
  readonly again: boolean
  /** Whether the target refuses this for everything of the kind. */
  readonly unsupported?: boolean
  /** Whether the credentials were refused. */
  readonly denied?: boolean
}

const goneStatuses = [404, 410]
const unsupportedStatuses = [405, 501]

/** What the answer to a removal says; `what` names the request in a reason: "DELETE of a blob". */
export function outcomeOf(what: string, { status }: Answer): Outcome {
  if (status < 300 || goneStatuses.includes(status)) return 'gone'
  const reason = `${what} answered ${status}`
  if (unsupportedStatuses.includes(status)) return { reason, again: false, unsupported: true }
  const denied = status === 401 || status === 403
  return { reason, again: denied || status >= 500 || [408, 429].includes(status), ...(denied && { denied }) }
}
