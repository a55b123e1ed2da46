import type { Context } from './context.ts'
import type { Deployment } from './deployment.ts'
import { notFound, platformError } from './errors.ts'
import type { Project, Service } from './state.ts'

const notYours = (what: string) => platformError(`Not authorized to access this ${what}`, 'UNAUTHORIZED')

/** The project with this id, or undefined where there is none; that of another user is refused. */
export function findProject(id: string, { state, viewer }: Context): Project | undefined {
  const project = state.projects.get(id)
  if (project && project.user !== viewer()) throw notYours('project')
  return project
}

/** As `findProject`, but a project that is not there is an error. */
export function ownProject(id: string, context: Context): Project {
  const project = findProject(id, context)
  if (!project) throw notFound('Project not found')
  return project
}

/** The service with this id, which must be in a project of the viewer. */
export function ownService(id: string, { state, viewer }: Context): Service {
  const service = state.services.get(id)
  if (!service) throw notFound('Service not found')
  if (state.projects.get(service.projectId)?.user !== viewer()) throw notYours('service')
  return service
}

/** The deployment with this id, or undefined where there is none; that of another user is refused. */
export function findDeployment(id: string, { state, viewer }: Context): Deployment | undefined {
  const deployment = state.deployments.get(id)
  if (deployment && deployment.user !== viewer()) throw notYours('deployment')
  return deployment
}

/** As `findDeployment`, but a deployment that is not there is an error. */
export function ownDeployment(id: string, context: Context): Deployment {
  const deployment = findDeployment(id, context)
  if (!deployment) throw notFound('Deployment not found')
  return deployment
}

/** Every service of the viewer, or of one project, in the order of creation within a project. */
export function ownServices(projectId: string | null | undefined, context: Context): Service[] {
  const { state, viewer } = context
  const projects = projectId ? [ownProject(projectId, context)] : state.projects.of(viewer())
  return projects.flatMap(({ id }) => state.services.of(id))
}
