import type { Handler } from './handler.ts'
import { type Served, serve } from './serve.ts'
import { StackError } from './stack-error.ts'
import type { PortName, StackOptions } from './stack-options.ts'
import type { StackPlan } from './stack-plan.ts'

/** A port that clients find only once its service is ready. */
export interface Door {
  /** Known from the start: where any free port was asked for, one is taken at once, and holds requests back. */
  readonly port: number
  /** Lets clients in. */
  open(handler: Handler): Promise<Served>
  close(graceMs?: number): Promise<void>
}

/** Makes a door at `port`, or at any free one for 0. Rejects with `StackError` when the port is not to be had. */
export async function makeDoor(name: PortName, port: number, host: string): Promise<Door> {
  let served: Served | undefined
  let enter: (handler: Handler) => void = () => {}
  const ready = new Promise<Handler>((resolve) => {
    enter = resolve
  })
  const listen = () =>
    serve(async (request, context) => (await ready)(request, context), { port, host }).catch((error) => {
      throw refused(name, port, host, error)
    })

  if (port === 0) served = await listen()
  return {
    port: served?.port ?? port,
    async open(handler) {
      served ??= await listen()
      enter(handler)
      return served
    },
    close: async (graceMs) => served?.close(graceMs),
  }
}

function refused(name: PortName, port: number, host: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new StackError('ERR_PORT_TAKEN', `ports.${name}`, `port ${port} is taken on ${host}`, error)
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StackError(
      'ERR_PORT_REFUSED',
      `ports.${name}`,
      `${host}:${port} cannot be bound (${code})`,
      error,
    )
  }
  return error
}

/** The doors of a stack. */
export interface Doors {
  /** One for each instance of the registry; the first is the one that a port was asked for. */
  readonly registry: readonly Door[]
  readonly storage?: Door
  readonly gateway?: Door
  readonly graphql?: Door
  close(graceMs?: number): Promise<void>
}

export async function makeDoors(plan: StackPlan, ports: StackOptions['ports'] = {}): Promise<Doors> {
  const made: Door[] = []
  const close = async (graceMs?: number) => void (await Promise.all(made.map((door) => door.close(graceMs))))
  const make = async (name: PortName, port = ports[name] ?? 0) => {
    const door = await makeDoor(name, port, plan.host)
    made.push(door)
    return door
  }
  try {
    const registry: Door[] = []
    const count = plan.services.has('registry') ? plan.instances : 0
    for (let index = 0; index < count; index += 1) {
      registry.push(await (index === 0 ? make('registry') : make('registry', 0)))
    }
    return {
      registry,
      ...(plan.opensStorage && { storage: await make('storage'), gateway: await make('gateway') }),
      ...(plan.services.has('graphql') && { graphql: await make('graphql') }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
