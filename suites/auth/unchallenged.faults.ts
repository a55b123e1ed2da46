import { faultKinds } from '../../harness/fault-kinds.ts'
import { rewriting, withHeaders } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'

const { interoperability } = faultKinds<Seams>()
const everything = () => true

export const faults = [
  interoperability(
    'auth.challenge.header.none',
    'no refusal has a WWW-Authenticate',
    ['auth.challenge.header', 'auth.challenge.bearer'],
    {
      registry: rewriting(everything, (response) => withHeaders(response, { 'www-authenticate': null })),
    },
    'says that the registry does not tell how to log in',
  ),
]
