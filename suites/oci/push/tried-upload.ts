import type { Answer } from '../../../harness/answer.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { errorCodes } from '../../error-codes.ts'
import { startUpload } from '../../push.ts'

/**
 * One upload after the other for requests that are to be refused: a registry may keep an upload after a refusal, and the
 * next bad request goes there. Only what looks like a refusal by an upload that is open counts at one that was tried
 * before; anything else is asked again at a new one, whose answer is given.
 */
export function triedUploads(
  client: RegistryClient,
  repository: string,
  open: () => Promise<string> = () => startUpload(client, repository),
): (attempt: (location: string) => Promise<Answer>) => Promise<Answer> {
  let kept: string | undefined
  return async (attempt) => {
    if (kept !== undefined) {
      const answer = await attempt(kept)
      if (refusesOpenly(answer)) return answer
    }
    const location = await open()
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
