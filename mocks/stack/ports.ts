import type { Control } from '../control/control.ts'
import type { Handler } from '../handler.ts'
import { type Served, serve } from '../serve.ts'
import { StackError } from './error.ts'
import type { PortName, StackOptions } from './options.ts'
import type { Parts } from './parts.ts'
import type { StackPlan } from './plan.ts'

/** The open ports of a stack. */
export interface Ports {
  /** `http://HOST:PORT`; `registry` has one for each instance. */
  readonly origins: {
    readonly registry: readonly string[]
    readonly storage?: string
    readonly gateway?: string
    readonly graphql?: string
  }
  close(graceMs?: number): Promise<void>
}

export interface PortsOptions {
  readonly plan: StackPlan
  readonly parts: Parts
  readonly control: Control
  readonly numbers: StackOptions['ports']
}

/** Opens every port, or none: rejects with `StackError` for one that is not to be had. */
export async function openPorts({ plan, parts, control, numbers = {} }: PortsOptions): Promise<Ports> {
  const opened: Served[] = []
  const close = async (graceMs?: number) => {
    await Promise.all(opened.map((served) => served.close(graceMs)))
  }
  const open = async (name: PortName, handler: Handler, port = numbers[name] ?? 0) => {
    const served = await listen(name, control.port(handler), port, plan.host)
    opened.push(served)
    return served.url
  }
  try {
    const { storage, graphql } = parts
    const registry: string[] = []
    for (const handle of parts.registry?.handles ?? []) {
      registry.push(await (registry.length === 0 ? open('registry', handle) : open('registry', handle, 0)))
    }
    const origins = {
      registry,
      ...(storage && {
        storage: await open('storage', storage.rpc),
        gateway: await open('gateway', storage.gateway),
      }),
      ...(graphql && { graphql: await open('graphql', graphql.handle) }),
    }
    return { origins, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function listen(name: PortName, handler: Handler, port: number, host: string): Promise<Served> {
  try {
    return await serve(handler, { port, host })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      throw new StackError('ERR_PORT_TAKEN', `ports.${name}`, `port ${port} is taken on ${host}`, error)
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StackError(
        'ERR_PORT_REFUSED',
        `ports.${name}`,
        `${host}:${port} cannot be bound (${code})`,
        error,
      )
    }
    throw error
  }
}
