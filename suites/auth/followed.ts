import type { Answer } from '../../harness/answer.ts'
import type { Attempt } from './attempts.ts'
import type { Issued, Present } from './login.ts'

/** What a request leads to: a redirect is followed once, to another host without the token. */
export async function followed(
  present: Present,
  token: Issued,
  { method, path, options }: Attempt,
): Promise<Answer> {
  const fresh = { ...options, fresh: true }
  const answer = await present(token, method, path, fresh)
  const location = answer.header('location')
  if (answer.status < 300 || answer.status > 399 || !location) return answer
  const { href, origin } = new URL(location, answer.url)
  const isHere = origin === new URL(answer.url).origin
  return present(isHere ? token : undefined, method, href, fresh)
}
