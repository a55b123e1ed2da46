import { checkedName } from '../bounds.ts'
import type { Context } from '../context.ts'
import { newId } from '../identifier.ts'
import { findProject, ownProject } from '../ownership.ts'
import { removeProject } from '../removal.ts'
import { freeSlug } from '../slug.ts'
import type { Project } from '../state.ts'
import { userOf } from './user.ts'

interface CreateArguments {
  readonly data: { readonly name: string }
}

function createProject(_: unknown, { data }: CreateArguments, { state, clock, viewer }: Context): Project {
  const user = viewer()
  const name = checkedName('project', data.name)
  const now = clock.now()
  const taken = state.projects.of(user).map(({ slug }) => slug)
  return state.projects.put({
    id: newId('prj'),
    user,
    name,
    slug: freeSlug(name, 'project', taken),
    backupStorageOnArweave: false,
    backupStorageOnFilecoin: false,
    createdAt: now,
    updatedAt: now,
  })
}

export interface UpdateArguments {
  readonly id: string
  readonly data: {
    readonly name?: string | null
    readonly avatar?: string | null
    readonly backupStorageOnArweave?: boolean | null
    readonly backupStorageOnFilecoin?: boolean | null
  }
}

function updateProject(_: unknown, { id, data }: UpdateArguments, context: Context): Project {
  const project = ownProject(id, context)
  const avatar = data.avatar ?? project.avatar
  return context.state.projects.put({
    ...project,
    name: data.name == null ? project.name : checkedName('project', data.name),
    ...(avatar === undefined ? {} : { avatar }),
    backupStorageOnArweave: data.backupStorageOnArweave ?? project.backupStorageOnArweave,
    backupStorageOnFilecoin: data.backupStorageOnFilecoin ?? project.backupStorageOnFilecoin,
    updatedAt: context.clock.now(),
  })
}

function deleteProject(_: unknown, { id }: { id: string }, context: Context): boolean {
  removeProject(context.state, ownProject(id, context), context.clock.now())
  return true
}

export const projectResolvers = {
  Query: {
    projects: (_: unknown, __: unknown, { state, viewer }: Context) => ({
      data: state.projects.of(viewer()),
    }),
    project: (_: unknown, { id }: { id: string }, context: Context) => findProject(id, context),
  },
  Mutation: { createProject, updateProject, deleteProject },
  Project: {
    user: ({ user }: Project, _: unknown, { state }: Context) => userOf(user, state),
  },
}
