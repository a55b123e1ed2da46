import { checkedName } from './bounds.ts'
import type { Context } from './context.ts'
import type { Deployment } from './deployment.ts'
import { checkVariable, setVariable } from './environment-variable.ts'
import { badInput } from './errors.ts'
import { newId } from './identifier.ts'
import { type LaunchOptions, launch, type PolicyInput } from './launch.ts'
import { gibibytes } from './price.ts'
import { addService } from './service.ts'
import type { Project, Service } from './state.ts'
import type { Resources, Template } from './template.ts'

export interface EnvOverride {
  readonly key: string
  readonly value: string
}

export interface ResourceOverride {
  readonly cpu?: number | null
  readonly memory?: string | null
  readonly storage?: string | null
  readonly gpu?: { readonly units: number; readonly vendor: string; readonly model?: string | null } | null
}

/** One service to be: a template with what its user wants different. */
export interface Order {
  readonly template: Template
  readonly name: string
  readonly provider: string
  readonly envOverrides: readonly EnvOverride[]
  readonly resources: Resources
  readonly policy?: PolicyInput | null
  readonly parent?: Service
  /** Deploys this service instead of a new one. */
  readonly service?: Service
}

const checkedSize = (name: string, size: string) => {
  if (gibibytes(size) === undefined) throw badInput(`The ${name} is a size such as 512Mi, not "${size}"`)
  return size
}

/** The resources of a template, with what is overridden. */
export function withOverride(resources: Resources, override?: ResourceOverride | null): Resources {
  const { cpu, memory, storage, gpu } = override ?? {}
  if (cpu != null && cpu <= 0) throw badInput('The cpu is above 0')
  return {
    cpu: cpu ?? resources.cpu,
    memory: checkedSize('memory', memory ?? resources.memory),
    storage: checkedSize('storage', storage ?? resources.storage),
    ...(gpu
      ? { gpu: { units: gpu.units, vendor: gpu.vendor, ...(gpu.model == null ? {} : { model: gpu.model }) } }
      : resources.gpu
        ? { gpu: resources.gpu }
        : {}),
  }
}

/** Refuses an order that could not be carried out, before any of it is. */
export function checkOrder({ template, name, envOverrides }: Order): void {
  checkedName('service', name)
  for (const override of envOverrides) checkVariable(override)
  const given = new Set(envOverrides.map(({ key }) => key))
  const missing = template.envVars.filter(
    ({ key, required, default: value }) => required && value === undefined && !given.has(key),
  )
  if (missing.length > 0) {
    throw badInput(
      `The template "${template.id}" needs a value for ${missing.map(({ key }) => key).join(', ')}`,
    )
  }
}

function equip(context: Context, service: Service, { template, envOverrides }: Order): void {
  const { state, clock } = context
  const overridden = new Map(envOverrides.map(({ key, value }) => [key, value]))
  for (const { key, secret = false, default: value } of template.envVars) {
    const chosen = overridden.get(key) ?? value
    if (chosen !== undefined)
      setVariable(context, service, { key, value: chosen, secret, source: 'template' })
    overridden.delete(key)
  }
  for (const [key, value] of overridden) setVariable(context, service, { key, value })
  const now = clock.now()
  for (const { port, as, global } of template.ports) {
    state.ports.put({
      id: newId('port'),
      serviceId: service.id,
      containerPort: port,
      ...(global ? { publicPort: as } : {}),
      protocol: 'TCP',
      createdAt: now,
      updatedAt: now,
    })
  }
}

function serviceFor(context: Context, project: Project, { template, name, parent }: Order): Service {
  const port = template.ports[0]?.port
  return addService(context, project, {
    name,
    type: template.serviceType,
    flavor: 'template',
    templateId: template.id,
    dockerImage: template.dockerImage,
    ...(port === undefined ? {} : { containerPort: port }),
    ...(parent ? { parentServiceId: parent.id } : {}),
  })
}

/** Creates the service of an order, with its variables and ports, and deploys it. */
export function fulfil(context: Context, project: Project, order: Order): Deployment {
  const service = order.service ?? serviceFor(context, project, order)
  equip(context, service, order)
  const options: LaunchOptions = {
    provider: order.provider,
    resources: order.resources,
    policy: order.policy ?? null,
  }
  return launch(context, service, options)
}
