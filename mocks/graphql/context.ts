import type { Clock } from '../clock.ts'
import type { AccessToken } from './access-token.ts'
import { notAuthenticated } from './errors.ts'
import type { PlatformState } from './state.ts'

/** What a resolver works with. */
export interface Context {
  readonly state: PlatformState
  readonly clock: Clock
  /** The project that the header X-Project-Id names, for operations that are told none. */
  readonly projectHeader: string | undefined
  /** The user who asks. Throws `Not authenticated` where nobody does, which only the login operation gets to see. */
  viewer(): string
}

/** The context of one request on behalf of the owner of `token`, or of nobody. */
export function contextFor(
  state: PlatformState,
  clock: Clock,
  token: AccessToken | undefined,
  headers: Headers,
): Context {
  return {
    state,
    clock,
    projectHeader: headers.get('x-project-id') ?? undefined,
    viewer() {
      if (!token) throw notAuthenticated()
      return token.user
    },
  }
}
