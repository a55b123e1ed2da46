import type { ServerContext } from '../handler.ts'
import type { Action, Scope } from './access.ts'
import type { Site } from './challenge.ts'
import type { Refusal } from './errors.ts'
import type { Log } from './log.ts'
import type { Claims } from './stores.ts'
import type { Target } from './target.ts'

/** One request, with what the router found out about it. */
export interface Call {
  readonly request: Request
  readonly context: ServerContext
  readonly target: Target
  readonly site: Site
  /** The repository's name, checked; empty where the path has none. */
  readonly repository: string
  /** The last part of the path, decoded: a tag, a digest or an upload's id, not checked. */
  readonly reference: string
  /** Who asks; undefined on an open registry. */
  readonly claims: Claims | undefined
  /** When the request came in, in the clock's milliseconds. */
  readonly since: number
  readonly log: Log
}

export type Answer = Promise<Response | Refusal> | Response | Refusal

export interface Operation {
  /** What the token must allow in the repository; `token`: any good token will do; `nothing`: not even that. */
  readonly access: Action | 'token' | 'nothing'
  /** Further scopes that the challenge asks for, so that one token does for all. */
  readonly alsoAsks?: (call: Call) => readonly Scope[]
  handle(call: Call): Answer
}

/** A path, with the groups `name` and `reference` where it has them. A HEAD is its GET without the body. */
export interface Route {
  readonly path: RegExp
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Operation>>>
}
