import type { Answer } from '../../../harness/answer.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { errorCodes } from '../../error-codes.ts'
import { startUpload } from '../../push.ts'

/** Sends a bad request to an upload. */
type Attempt = (location: string) => Promise<Answer>

/**
 * One upload after the other for requests that are to be refused: a registry may keep an upload after a refusal, and the
 * next bad request goes there. Only what looks like a refusal by an upload that is open counts at one that was tried
 * before, with one of the statuses where they are given; anything else is asked again at a new one, whose answer is
 * given. `first`: an upload that is open already; `open` opens another.
 */
export function triedUploads(
  client: RegistryClient,
  repository: string,
  first?: string,
  open: () => Promise<string> = () => startUpload(client, repository),
): (attempt: Attempt, ...statuses: readonly number[]) => Promise<Answer> {
  let untried = first
  let kept: string | undefined
  return async (attempt, ...statuses) => {
    const counts = ({ status }: Answer) => statuses.length === 0 || statuses.includes(status)
    if (kept !== undefined) {
      const answer = await attempt(kept)
      if (refusesOpenly(answer) && counts(answer)) return answer
    }
    const location = untried ?? (await open())
    untried = undefined
    const answer = await attempt(location)
    kept = refusesOpenly(answer) ? location : undefined
    return answer
  }
}

const refusesOpenly = (answer: Answer) =>
  answer.status >= 400 &&
  answer.status < 500 &&
  answer.status !== 404 &&
  !errorCodes(answer)?.includes('BLOB_UPLOAD_UNKNOWN')
