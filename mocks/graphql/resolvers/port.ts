import { checkedPort } from '../bounds.ts'
import type { Context } from '../context.ts'
import { badInput, notFound } from '../errors.ts'
import { newId } from '../identifier.ts'
import { ownService } from '../ownership.ts'
import type { Port, Service } from '../state.ts'

const protocols = new Set(['TCP', 'UDP'])

interface SetArguments {
  readonly serviceId: string
  readonly containerPort: number
  readonly publicPort?: number | null
  readonly protocol?: string | null
}

const portOf = (service: Service, containerPort: number, { state }: Context) =>
  state.ports.of(service.id).find((port) => port.containerPort === containerPort)

function setServicePort(_: unknown, args: SetArguments, context: Context): Port {
  const service = ownService(args.serviceId, context)
  const containerPort = checkedPort('containerPort', args.containerPort)
  const protocol = (args.protocol ?? 'TCP').toUpperCase()
  if (!protocols.has(protocol)) throw badInput(`A protocol is one of ${[...protocols].join(', ')}`)
  const now = context.clock.now()
  const old = portOf(service, containerPort, context)
  return context.state.ports.put({
    id: old?.id ?? newId('port'),
    serviceId: service.id,
    containerPort,
    ...(args.publicPort == null ? {} : { publicPort: checkedPort('publicPort', args.publicPort) }),
    protocol,
    createdAt: old?.createdAt ?? now,
    updatedAt: now,
  })
}

interface DeleteArguments {
  readonly serviceId: string
  readonly containerPort: number
}

function deleteServicePort(_: unknown, args: DeleteArguments, context: Context): boolean {
  const port = portOf(ownService(args.serviceId, context), args.containerPort, context)
  if (!port) throw notFound(`Port ${args.containerPort} is not open on the service`)
  context.state.ports.delete(port.id)
  return true
}

export const portResolvers = {
  Mutation: { setServicePort, deleteServicePort },
  Service: {
    ports: ({ id }: Service, _: unknown, { state }: Context) => state.ports.of(id),
  },
}
