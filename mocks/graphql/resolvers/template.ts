import type { Context } from '../context.ts'
import {
  checkOrder,
  type EnvOverride,
  fulfil,
  type Order,
  type ResourceOverride,
  withOverride,
} from '../deploy-template.ts'
import { badInput } from '../errors.ts'
import type { PolicyInput } from '../launch.ts'
import { ownProject, ownService } from '../ownership.ts'
import type { Service } from '../state.ts'
import type { Template, TemplateComponent } from '../template.ts'
import { knownTemplate, offeredTemplates, templateById } from '../template-catalogue.ts'

const templates = (_: unknown, { category }: { category?: string | null }) =>
  offeredTemplates.filter((template) => category == null || template.category === category)

interface ComponentTarget {
  readonly componentId: string
  readonly provider: string
  readonly resourceOverrides?: ResourceOverride | null
}

interface CompositeInput {
  readonly templateId: string
  readonly projectId: string
  readonly primaryServiceId?: string | null
  readonly mode: string
  readonly provider?: string | null
  readonly componentTargets?: readonly ComponentTarget[] | null
  readonly enabledComponentIds?: readonly string[] | null
  readonly serviceName?: string | null
  readonly envOverrides?: readonly EnvOverride[] | null
  readonly resourceOverrides?: ResourceOverride | null
  readonly policy?: PolicyInput | null
}

/** The components to deploy, the primary one first. A template without components is its own only one. */
function chosenComponents(
  whole: Template,
  { mode, enabledComponentIds }: CompositeInput,
): TemplateComponent[] {
  if (mode !== 'fullstack' && mode !== 'custom') throw badInput('The mode is fullstack or custom')
  const all = whole.components ?? [{ id: whole.id, name: whole.name, primary: true }]
  const enabled = new Set(enabledComponentIds ?? [])
  const unknown = [...enabled].filter((id) => !all.some((component) => component.id === id))
  if (unknown.length > 0) throw badInput(`The template "${whole.id}" has no component ${unknown.join(', ')}`)
  const chosen = all.filter(
    ({ id, primary, required }) => mode === 'fullstack' || primary || required || enabled.has(id),
  )
  return chosen.sort((a, b) => Number(b.primary ?? false) - Number(a.primary ?? false))
}

function orderFor(component: TemplateComponent, whole: Template, input: CompositeInput): Order {
  const part = component.templateId === undefined ? whole : knownTemplate(component.templateId)
  const target = input.componentTargets?.find(({ componentId }) => componentId === component.id)
  const primary = component.primary ?? false
  const override = target?.resourceOverrides ?? (primary ? input.resourceOverrides : undefined)
  const own = new Set(part.envVars.map(({ key }) => key))
  return {
    template: part,
    name: (primary ? input.serviceName : undefined) ?? component.name,
    provider: target?.provider ?? input.provider ?? 'mock',
    envOverrides: (input.envOverrides ?? []).filter(({ key }) => primary || own.has(key)),
    resources: withOverride(part.resources, override),
    policy: input.policy ?? null,
  }
}

function deployCompositeTemplate(_: unknown, { input }: { input: CompositeInput }, context: Context) {
  const project = ownProject(input.projectId, context)
  const whole = knownTemplate(input.templateId)
  const components = chosenComponents(whole, input)
  const orders = components.map((component) => orderFor(component, whole, input))
  for (const order of orders) checkOrder(order)
  let parent: Service | undefined
  if (input.primaryServiceId != null) {
    parent = ownService(input.primaryServiceId, context)
    if (parent.projectId !== project.id) throw badInput('The primary service is in another project')
  }
  for (const [index, order] of orders.entries()) {
    const link = index === 0 ? (parent ? { service: parent } : {}) : parent ? { parent } : {}
    const { serviceId } = fulfil(context, project, { ...order, ...link })
    parent ??= context.state.services.get(serviceId)
  }
  return {
    primaryServiceId: parent?.id,
    partialSuccess: false,
    failedComponents: [],
    succeededComponents: components.map(({ id }) => id),
  }
}

export const templateResolvers = {
  Query: { templates, template: (_: unknown, { id }: { id: string }) => templateById(id) },
  Mutation: { deployCompositeTemplate },
}
