import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, to } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { altering, failure, restatus, rpc, sometimes, telling } from './seams.faults.ts'

const { interoperability, corruption } = faultKinds<Seams>()
const { id } = rpc
const everywhere = ['storage.id', 'storage.id.method']

export const faults = [
  interoperability('storage.id.status-203', 'id answers 203', ['storage.id'], {
    storage: restatus(id, 203),
  }),
  interoperability('storage.id.fails', 'id answers 500 while the node works', everywhere, {
    storage: answering(to('*', id), () => failure()),
  }),
  interoperability('storage.id.renamed', 'id tells the identity under another name', everywhere, {
    storage: telling(id, ({ ID, ...line }) => ({ ...line, PeerID: ID })),
  }),
  interoperability('storage.id.empty', 'the ID is empty', everywhere, {
    storage: telling(id, (line) => ({ ...line, ID: '' })),
  }),
  interoperability('storage.id.bytes', 'the ID is a list of bytes', ['storage.id'], {
    storage: telling(id, (line) => ({ ...line, ID: [...Buffer.from(String(line['ID']))] })),
  }),
  interoperability('storage.id.text', 'id answers with the bare ID', ['storage.id', 'storage.id.method'], {
    storage: altering(id, () => '12D3KooWAssay\n'),
  }),
  corruption(
    'storage.id.changes',
    'every call meets a node of another identity',
    ['storage.id.stable'],
    {
      storage: (next) => {
        let calls = 0
        return telling(id, (line) => ({ ...line, ID: `${line['ID']}${++calls}` }))(next)
      },
    },
    'does not take one node for the other: they may not share their content',
  ),
  corruption(
    'storage.id.changes-once',
    'the third call meets a node of another identity',
    ['storage.id.stable'],
    {
      storage: sometimes(
        () => {
          let calls = 0
          return (request) => id.test(new URL(request.url).pathname) && ++calls > 2
        },
        telling(id, (line) => ({ ...line, ID: `${line['ID']}B` })),
      ),
    },
    'does not take one node for the other: they may not share their content',
  ),
  interoperability('storage.id.no-method', 'id answers neither to GET nor to POST', ['storage.id.method'], {
    storage: answering(to('*', id), () => new Response(null, { status: 405, headers: { allow: 'HEAD' } })),
  }),
]
