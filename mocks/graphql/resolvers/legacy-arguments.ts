import type { Context } from '../context.ts'
import { badInput } from '../errors.ts'
import { accessTokenResolvers } from './access-token.ts'
import { projectResolvers } from './project.ts'

interface Named {
  readonly id?: string | null
  readonly where?: { readonly id: string } | null
}

/** Lets a resolver that takes `id` take `where: { id }` as well. */
const byIdOrWhere =
  <A extends { readonly id: string }, R>(resolve: (parent: unknown, args: A, context: Context) => R) =>
  (parent: unknown, args: Omit<A, 'id'> & Named, context: Context): R => {
    const id = args.id ?? args.where?.id
    if (id === undefined) throw badInput('Either id or where is needed')
    return resolve(parent, { ...args, id } as A & Named, context)
  }

export const legacyArgumentResolvers = {
  Query: { project: byIdOrWhere(projectResolvers.Query.project) },
  Mutation: {
    updateProject: byIdOrWhere(projectResolvers.Mutation.updateProject),
    deletePersonalAccessToken: byIdOrWhere(accessTokenResolvers.Mutation.deletePersonalAccessToken),
  },
}
