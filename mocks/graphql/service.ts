import type { Context } from './context.ts'
import { newId } from './identifier.ts'
import { freeSlug } from './slug.ts'
import type { Project, Service } from './state.ts'

type ServiceDetails = Omit<
  Service,
  | 'id'
  | 'projectId'
  | 'createdByUserId'
  | 'slug'
  | 'internalHostname'
  | 'shutdownPriority'
  | 'createdAt'
  | 'updatedAt'
>

/** Adds a service to a project, under a slug that is free there. */
export function addService(context: Context, project: Project, details: ServiceDetails): Service {
  const { state, clock, viewer } = context
  const now = clock.now()
  const taken = state.services.of(project.id).map(({ slug }) => slug)
  const slug = freeSlug(details.name, 'service', taken)
  return state.services.put({
    ...details,
    id: newId('svc'),
    projectId: project.id,
    createdByUserId: viewer(),
    slug,
    internalHostname: `${slug}.${project.slug}.internal`,
    shutdownPriority: 50,
    createdAt: now,
    updatedAt: now,
  })
}
