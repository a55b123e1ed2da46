import type { Context } from '../context.ts'
import type { PlatformState } from '../state.ts'

export interface User {
  readonly id: string
  readonly username: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** A user by name; all of them are there from the start. */
export const userOf = (name: string, { startedAt }: PlatformState): User => ({
  id: name,
  username: name,
  createdAt: startedAt,
  updatedAt: startedAt,
})

export const userResolvers = {
  Query: {
    me: (_: unknown, __: unknown, { state, viewer }: Context) => userOf(viewer(), state),
  },
  User: {
    projects: ({ id }: User, _: unknown, { state }: Context) => state.projects.of(id),
  },
}
