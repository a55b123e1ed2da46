import type { Handler } from '../handler.ts'
import type { Stores } from '../registry/stores.ts'

export type WriteLine = (line: string) => void

/** What a fault may stand in front of. Each entry takes the real thing and returns the faulty one. */
export interface Seams {
  registry?(next: Handler): Handler
  storage?(next: Handler): Handler
  gateway?(next: Handler): Handler
  graphql?(next: Handler): Handler
  stores?(next: Stores): Stores
  /** Where the registry writes the lines of its log. */
  log?(next: WriteLine): WriteLine
}

/** One deliberate defect. It lies outside the services, which know nothing of it. */
export interface Fault {
  readonly id: string
  readonly seams: Seams
}

/** The seams that stand in front of a service on the wire. */
export type Service = Exclude<keyof Seams, 'stores' | 'log'>
