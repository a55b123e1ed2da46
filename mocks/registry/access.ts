import { isRepositoryName } from './names.ts'
import type { Access } from './stores.ts'

export type Action = 'pull' | 'push'

export interface Grant {
  /** A glob: `*` stands for any text, also across components, as in `conformance/*` or `*`. */
  readonly repository: string
  readonly actions: readonly Action[]
}

/** What a request needs, or a client asks for. */
export interface Scope {
  readonly repository: string
  readonly actions: readonly Action[]
}

const actionsInOrder: readonly Action[] = ['pull', 'push']

export const isAction = (text: string): text is Action => text === 'pull' || text === 'push'

/** Whether a token's access covers the action: exactly this repository, exactly this type. */
export const allows = (access: readonly Access[], repository: string, action: Action) =>
  access.some(
    ({ type, name, actions }) => type === 'repository' && name === repository && actions.includes(action),
  )

export const isGranted = (grants: readonly Grant[], repository: string, action: Action) =>
  grants.some((grant) => grant.actions.includes(action) && matches(grant.repository, repository))

/** The access of a token: what is asked for and granted too, each repository once. Asking for more is no error. */
export function accessFor(asked: readonly Scope[], grants: readonly Grant[]): Access[] {
  const names = [...new Set(asked.map(({ repository }) => repository))]
  return names
    .map((name) => ({
      type: 'repository',
      name,
      actions: actionsInOrder.filter(
        (action) =>
          isGranted(grants, name, action) &&
          asked.some(({ repository, actions }) => repository === name && actions.includes(action)),
      ),
    }))
    .filter(({ actions }) => actions.length > 0)
}

/**
 * Reads `repository:NAME:ACTIONS`, several separated by spaces. The name may hold a colon (`host:5000/x`). What is
 * malformed or of another type is left out.
 */
export function parseScopes(texts: readonly string[]): Scope[] {
  const scopes: Scope[] = []
  for (const text of texts.flatMap((some) => some.split(' '))) {
    const [, repository = '', actions = ''] = /^repository:(.*):([^:]*)$/.exec(text) ?? []
    if (isRepositoryName(repository))
      scopes.push({ repository, actions: actions.split(',').filter(isAction) })
  }
  return scopes
}

export const formatScopes = (scopes: readonly Scope[]) =>
  scopes.map(({ repository, actions }) => `repository:${repository}:${actions.join(',')}`).join(' ')

function matches(glob: string, name: string): boolean {
  const parts = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name)
}
