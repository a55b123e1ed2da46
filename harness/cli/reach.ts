import type { Seams } from '../../mocks/control/fault.ts'
import type { Reach } from '../false-alarms.ts'
import type { Interface } from '../requirement.ts'

const registry: readonly Interface[] = ['registry', 'token', 'stack']

/** Which interfaces look different when something stands in front of a service. */
const reached: Readonly<Record<keyof Seams, readonly Interface[]>> = {
  registry,
  stores: registry,
  log: registry,
  // The registry asks the storage node as well, and the gateway serves what was added there.
  storage: [...registry, 'storage', 'gateway'],
  gateway: ['gateway', 'stack'],
  graphql: ['graphql'],
}

/** The interfaces that a variation can make look different, by where it stands. */
export const reach: Reach = ({ seams }) => [
  ...new Set((Object.keys(seams) as (keyof Seams)[]).flatMap((seam) => reached[seam])),
]
