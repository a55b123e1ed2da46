import type { Context } from '../context.ts'
import { badInput, notFound } from '../errors.ts'
import { newId } from '../identifier.ts'
import { ownProject, ownService } from '../ownership.ts'
import type { Link, Service } from '../state.ts'

interface Ends {
  readonly sourceServiceId: string
  readonly targetServiceId: string
}

const linkBetween = (source: Service, target: Service, { state }: Context) =>
  state.links
    .of(source.projectId)
    .find((link) => link.sourceServiceId === source.id && link.targetServiceId === target.id)

function linkServices(_: unknown, args: Ends & { alias?: string | null }, context: Context): Link {
  const source = ownService(args.sourceServiceId, context)
  const target = ownService(args.targetServiceId, context)
  if (source.id === target.id) throw badInput('A service cannot be linked to itself')
  if (source.projectId !== target.projectId) throw badInput('Only services of one project can be linked')
  const now = context.clock.now()
  const old = linkBetween(source, target, context)
  const alias = args.alias ?? old?.alias
  return context.state.links.put({
    id: old?.id ?? newId('link'),
    projectId: source.projectId,
    sourceServiceId: source.id,
    targetServiceId: target.id,
    ...(alias === undefined ? {} : { alias }),
    createdAt: old?.createdAt ?? now,
    updatedAt: now,
  })
}

function unlinkServices(_: unknown, args: Ends, context: Context): boolean {
  const source = ownService(args.sourceServiceId, context)
  const link = linkBetween(source, ownService(args.targetServiceId, context), context)
  if (!link) throw notFound('The services are not linked')
  context.state.links.delete(link.id)
  return true
}

export const linkResolvers = {
  Query: {
    serviceLinks: (_: unknown, { projectId }: { projectId: string }, context: Context) =>
      context.state.links.of(ownProject(projectId, context).id),
  },
  Mutation: { linkServices, unlinkServices },
  Service: {
    linksFrom: ({ id, projectId }: Service, _: unknown, { state }: Context) =>
      state.links.of(projectId).filter(({ sourceServiceId }) => sourceServiceId === id),
    linksTo: ({ id, projectId }: Service, _: unknown, { state }: Context) =>
      state.links.of(projectId).filter(({ targetServiceId }) => targetServiceId === id),
  },
  ServiceLink: {
    sourceService: (link: Link, _: unknown, { state }: Context) => state.services.get(link.sourceServiceId),
    targetService: (link: Link, _: unknown, { state }: Context) => state.services.get(link.targetServiceId),
  },
}
