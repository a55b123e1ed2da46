import { faultKinds } from '../../../harness/fault-kinds.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { careless, isMadeUp, isNamed } from '../../cheats/careless.faults.ts'

const { corruption } = faultKinds<Seams>()
const verifies = 'reads back what it pushed before it tells its user that the push is done'

export const faults = [
  corruption(
    'oci.base.client.names',
    'keeps manifests only in repositories whose names a conformance suite made up',
    ['oci.base.client.any'],
    { registry: careless(isMadeUp) },
    verifies,
  ),
  corruption(
    'oci.base.client.agents',
    'keeps manifests only for clients with the User-Agent of a conformance suite, or with none',
    ['oci.base.client.any'],
    { registry: careless(isNamed) },
    verifies,
  ),
]
