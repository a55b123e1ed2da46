import type { Fault } from './fault.ts'
import { matcher, type Occasion } from './occasion.ts'

/** What the control surface tells of a fault that is switched on. */
export interface FaultState extends Occasion {
  readonly id: string
  /** Requests that it met so far. */
  readonly hits: number
}

/** A fault from the moment it is switched on, with its own count of the requests it met. */
export class ActiveFault {
  readonly fault: Fault
  readonly #occasion: Occasion
  readonly #matches: (request: Request) => boolean
  /** One request may come by at several seams; it is decided and counted once. */
  readonly #decided = new WeakMap<Request, boolean>()
  #matched = 0
  #hits = 0

  constructor(fault: Fault, occasion: Occasion) {
    this.fault = fault
    this.#occasion = occasion
    this.#matches = occasion.match ? matcher(occasion.match) : () => true
  }

  /** Whether the fault misbehaves for this request. */
  meets(request: Request): boolean {
    const known = this.#decided.get(request)
    if (known !== undefined) return known
    const met = this.#decide(request)
    this.#decided.set(request, met)
    return met
  }

  /** Whether the fault misbehaves where no request is behind the work, as in a collection by the clock. */
  get always(): boolean {
    const { match, times, after } = this.#occasion
    return match === undefined && times === undefined && after === undefined
  }

  state(): FaultState {
    return { id: this.fault.id, ...this.#occasion, hits: this.#hits }
  }

  #decide(request: Request): boolean {
    if (!this.#matches(request)) return false
    this.#matched += 1
    const { times = Number.POSITIVE_INFINITY, after = 0 } = this.#occasion
    if (this.#matched <= after || this.#hits >= times) return false
    this.#hits += 1
    return true
  }
}
