import type { Context } from '../context.ts'
import { platformError } from '../errors.ts'
import { newId } from '../identifier.ts'
import { freeSlug } from '../slug.ts'
import type { Project } from '../state.ts'

const longestName = 255

function checkedName(name: string): string {
  if (name.trim() === '' || name.length > longestName) {
    throw platformError(`The name of a project has 1 to ${longestName} characters`, 'BAD_USER_INPUT')
  }
  return name
}

/** The project with this id where the viewer owns it, or undefined where there is none; another's is refused. */
function projectById(id: string, { state, viewer }: Context): Project | undefined {
  const project = state.projects.get(id)
  if (project && project.user !== viewer()) {
    throw platformError('Not authorized to access this project', 'UNAUTHORIZED')
  }
  return project
}

/** As `projectById`, but a project that is not there is an error. */
export function ownProject(id: string, context: Context): Project {
  const project = projectById(id, context)
  if (!project) throw platformError('Project not found', 'NOT_FOUND')
  return project
}

function createProject(_: unknown, { data }: { data: { name: string } }, { state, clock, viewer }: Context) {
  const name = checkedName(data.name)
  const user = viewer()
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

interface UpdateArguments {
  readonly id: string
  readonly data: { readonly name?: string | null }
}

function updateProject(_: unknown, { id, data }: UpdateArguments, context: Context) {
  const project = ownProject(id, context)
  const name = data.name == null ? project.name : checkedName(data.name)
  return context.state.projects.put({ ...project, name, updatedAt: context.clock.now() })
}

function deleteProject(_: unknown, { id }: { id: string }, context: Context) {
  context.state.projects.delete(ownProject(id, context).id)
  return true
}

export const projectResolvers = {
  Query: {
    projects: (_: unknown, __: unknown, { state, viewer }: Context) => ({
      data: state.projects.of(viewer()),
    }),
    project: (_: unknown, { id }: { id: string }, context: Context) => projectById(id, context),
  },
  Mutation: { createProject, updateProject, deleteProject },
}
