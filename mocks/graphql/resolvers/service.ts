import { checkedName, checkedPort } from '../bounds.ts'
import type { Context } from '../context.ts'
import { isLiveStatus, progressOf } from '../deployment.ts'
import { badInput } from '../errors.ts'
import { newestDeployment } from '../launch.ts'
import { ownProject, ownService } from '../ownership.ts'
import { removeService } from '../removal.ts'
import { addService } from '../service.ts'
import type { Service } from '../state.ts'
import { knownTemplate } from '../template-catalogue.ts'

const flavors = new Set(['docker', 'server', 'function', 'template', 'github'])
const movingTag = /:(?:latest|main)$/

function serviceRegistry(
  _: unknown,
  { projectId }: { projectId?: string | null },
  context: Context,
): Service[] {
  const id = projectId ?? context.projectHeader
  if (id === undefined) throw badInput('Project ID required')
  return context.state.services.of(ownProject(id, context).id).reverse()
}

interface CreateArguments {
  readonly input: {
    readonly name: string
    readonly projectId: string
    readonly type?: string | null
    readonly templateId?: string | null
    readonly flavor?: string | null
    readonly dockerImage?: string | null
    readonly containerPort?: number | null
  }
}

function createService(_: unknown, { input }: CreateArguments, context: Context): Service {
  const project = ownProject(input.projectId, context)
  const template = input.templateId == null ? undefined : knownTemplate(input.templateId)
  if (input.flavor != null && !flavors.has(input.flavor)) {
    throw badInput(`A flavor is one of ${[...flavors].join(', ')}`)
  }
  const dockerImage = input.dockerImage ?? template?.dockerImage
  const containerPort = input.containerPort ?? template?.ports[0]?.port
  return addService(context, project, {
    name: checkedName('service', input.name),
    type: input.type ?? template?.serviceType ?? 'VM',
    ...(input.flavor == null ? {} : { flavor: input.flavor }),
    ...(template ? { templateId: template.id } : {}),
    ...(dockerImage === undefined ? {} : { dockerImage }),
    ...(containerPort === undefined ? {} : { containerPort: checkedPort('containerPort', containerPort) }),
  })
}

interface UpdateArguments {
  readonly serviceId: string
  readonly input: {
    readonly dockerImage?: string | null
    readonly containerPort?: number | null
    readonly volumes?: unknown
    readonly healthProbe?: unknown
    readonly failoverPolicy?: unknown
  }
}

function updateService(_: unknown, { serviceId, input }: UpdateArguments, context: Context): Service {
  const service = ownService(serviceId, context)
  if (input.dockerImage != null && movingTag.test(input.dockerImage)) {
    throw badInput('An image needs a tag that stays: latest and main move')
  }
  if (input.containerPort != null) checkedPort('containerPort', input.containerPort)
  const given = Object.entries(input).filter(([, value]) => value != null)
  return context.state.services.put({
    ...service,
    ...Object.fromEntries(given),
    updatedAt: context.clock.now(),
  })
}

interface PriorityArguments {
  readonly serviceId: string
  readonly shutdownPriority: number
}

function updateServicePriority(_: unknown, args: PriorityArguments, context: Context): Service {
  const service = ownService(args.serviceId, context)
  const shutdownPriority = Math.min(Math.max(args.shutdownPriority, 0), 100)
  return context.state.services.put({ ...service, shutdownPriority, updatedAt: context.clock.now() })
}

function deleteService(_: unknown, { id }: { id: string }, context: Context): Service {
  const service = ownService(id, context)
  const now = context.clock.now()
  const alive = context.state.deployments.of(id).find((row) => isLiveStatus(progressOf(row, now)))
  if (alive) {
    throw badInput(`Cannot delete "${service.name}": close its deployment ${alive.id} first`)
  }
  removeService(context.state, service, now)
  return service
}

/** The mock probes nothing: an application is as well as its deployment. */
function applicationHealth(service: Service, _: unknown, { state, clock }: Context) {
  if (service.healthProbe === undefined) return null
  const deployment = newestDeployment(state, service)
  const progress = deployment && progressOf(deployment, clock.now())
  if (!progress || !isLiveStatus(progress)) return { overall: 'unknown', recentResults: [] }
  return { overall: progress.status === 'ACTIVE' ? 'healthy' : 'starting', recentResults: [] }
}

export const serviceResolvers = {
  Query: { serviceRegistry },
  Mutation: { createService, updateService, updateServicePriority, deleteService },
  Service: { applicationHealth },
}
