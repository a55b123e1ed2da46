import { PrerequisiteFailure } from '../../harness/errors.ts'

/** A token taken apart, its signature not looked at: https://www.rfc-editor.org/rfc/rfc7519 */
export interface JsonWebToken {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
}

/** What a token allows, as far as its claims have the form that they should have. */
export interface AccessEntry {
  readonly type: string
  readonly name: string
  readonly actions: readonly string[]
}

/** Takes a token apart; `undefined` where it is not a JSON Web Token. */
export function readToken(token: string): JsonWebToken | undefined {
  const [header, payload, signature, ...rest] = token.split('.')
  if (!header || !payload || signature === undefined || rest.length > 0) return undefined
  const parts = [header, payload].map(jsonOf)
  const [first, second] = parts
  return first && second ? { header: first, payload: second } : undefined
}

/** The token taken apart. Throws `PrerequisiteFailure` where it is opaque: nothing can be said of its claims. */
export function claimsOf(token: string): JsonWebToken {
  const read = readToken(token)
  if (!read) throw new PrerequisiteFailure('the token is not a JSON Web Token, so its claims cannot be read')
  return read
}

/** The entries of `access` that have a type, a name and actions. */
export function accessOf({ payload }: JsonWebToken): readonly AccessEntry[] {
  const { access } = payload
  return Array.isArray(access) ? access.filter(isEntry) : []
}

/** Everything that a token allows on a repository. */
export const actionsOn = (token: JsonWebToken, repository: string): readonly string[] =>
  accessOf(token)
    .filter(({ type, name }) => type === 'repository' && name === repository)
    .flatMap(({ actions }) => actions)

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isEntry(entry: unknown): entry is AccessEntry {
  if (!isObject(entry)) return false
  const { type, name, actions } = entry
  return typeof type === 'string' && typeof name === 'string' && Array.isArray(actions)
}

function jsonOf(segment: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
