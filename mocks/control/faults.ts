import { AsyncLocalStorage } from 'node:async_hooks'
import type { Handler } from '../handler.ts'
import type { Stores } from '../registry/stores.ts'
import { ActiveFault, type FaultState } from './active-fault.ts'
import { ControlError } from './control-error.ts'
import type { Fault, Service, WriteLine } from './fault.ts'
import { liveView } from './live-view.ts'
import { nearNames } from './near.ts'
import type { Occasion } from './occasion.ts'

/** The table of known faults; a function when it is worth loading only once one is asked for. */
export type FaultTable = readonly Fault[] | (() => Promise<readonly Fault[]>)

/** Which faults of a table are on, and the seams at which they stand in front of the real things. */
export interface Faults {
  /** Switches a fault on, as the outermost. One that is on already starts afresh. Rejects for an id that is not known. */
  on(id: string, occasion?: Occasion): Promise<FaultState>
  /** Switches one fault off, or all. One that is known but not on is no error. */
  off(id?: string): Promise<void>
  active(): FaultState[]
  known(): Promise<string[]>
  wrap(service: Service, real: Handler): Handler
  wrapStores(real: Stores): Stores
  wrapLog(real: WriteLine): WriteLine
}

export function createFaults(table: FaultTable): Faults {
  const chain: ActiveFault[] = []
  const inHand = new AsyncLocalStorage<Request>()
  let loaded: Promise<readonly Fault[]> | undefined

  const load = () => {
    loaded ??= typeof table === 'function' ? table() : Promise.resolve(table)
    return loaded
  }

  async function find(id: string): Promise<Fault> {
    const faults = await load()
    const fault = faults.find((candidate) => candidate.id === id)
    if (fault) return fault
    throw new ControlError('unknown-fault', unknownFault(id, faults))
  }

  function drop(id: string): void {
    const at = chain.findIndex((active) => active.fault.id === id)
    if (at >= 0) chain.splice(at, 1)
  }

  /** The faults beneath `above`, outermost first; all of them without it. None when `above` was switched off meanwhile. */
  const beneath = (above: ActiveFault | undefined) =>
    above === undefined ? chain.toReversed() : chain.slice(0, Math.max(0, chain.indexOf(above))).toReversed()

  return {
    async on(id, occasion = {}) {
      const active = new ActiveFault(await find(id), occasion)
      drop(id)
      chain.push(active)
      return active.state()
    },
    async off(id) {
      if (id === undefined) chain.length = 0
      else drop((await find(id)).id)
    },
    active: () => chain.map((active) => active.state()),
    known: async () => (await load()).map(({ id }) => id),

    wrap(service, real) {
      const layers = new WeakMap<ActiveFault, Handler>()
      const pass = (above: ActiveFault | undefined, ...[request, context]: Parameters<Handler>) => {
        const next = beneath(above).find(({ fault }) => fault.seams[service])
        return next ? layer(next)(request, context) : real(request, context)
      }
      const layer = (active: ActiveFault): Handler => {
        const made = layers.get(active)
        if (made) return made
        const below: Handler = (request, context) => pass(active, request, context)
        const faulty = active.fault.seams[service]?.(below) ?? below
        const chosen: Handler = (request, context) =>
          active.meets(request) ? faulty(request, context) : below(request, context)
        layers.set(active, chosen)
        return chosen
      }
      return (request, context) => {
        if (chain.length === 0) return real(request, context)
        if (!chain.some(({ fault }) => fault.seams.stores)) return pass(undefined, request, context)
        return inHand.run(request, () => pass(undefined, request, context))
      }
    },

    wrapStores(real) {
      const layers = new WeakMap<ActiveFault, Stores>()
      const met = (active: ActiveFault) => {
        const request = inHand.getStore()
        return request ? active.meets(request) : active.always
      }
      const current = (above: ActiveFault | undefined): Stores => {
        const next = beneath(above).find((active) => active.fault.seams.stores && met(active))
        return next ? layer(next) : real
      }
      const layer = (active: ActiveFault): Stores => {
        const made = layers.get(active)
        if (made) return made
        const below = liveView(() => current(active))
        const faulty = active.fault.seams.stores?.(below) ?? below
        layers.set(active, faulty)
        return faulty
      }
      return liveView(() => (chain.length === 0 ? real : current(undefined)))
    },

    wrapLog: (real) => (line) =>
      chain.reduce((next, { fault }) => fault.seams.log?.(next) ?? next, real)(line),
  }
}

function unknownFault(id: string, faults: readonly Fault[]): string {
  if (faults.length === 0) return `no fault "${id}": this stack was started without a table of faults`
  const near = nearNames(
    id,
    faults.map((fault) => fault.id),
  )
  const hint = near.length > 0 ? `near it: ${near.join(', ')}` : '`assay faults` lists them'
  return `no fault "${id}"; ${hint}`
}
