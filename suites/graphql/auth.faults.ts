import { faultKinds } from '../../harness/fault-kinds.ts'
import { rewriting, withBody } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'

const { interoperability } = faultKinds<Seams>()
const everything = () => true

export const faults = [
  interoperability(
    'graphql.auth.code.unauthorized',
    'the refusal has the code UNAUTHORIZED instead of UNAUTHENTICATED',
    ['graphql.auth.missing.code', 'graphql.auth.expired.code', 'graphql.auth.revoked.code'],
    {
      graphql: rewriting(everything, (response) =>
        withBody(response, (body) => Buffer.from(body).toString().replace('UNAUTHENTICATED', 'UNAUTHORIZED')),
      ),
    },
    'reads the message too, and asks for another token',
  ),
]
