import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, to, withBody, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { argOf, excusing, queryOf, rpc } from './seams.faults.ts'

const { corruption, interoperability, cosmetic } = faultKinds<Seams>()
const { cat } = rpc

const errors = ['storage.cat.error-json']
const isCat = to('*', cat)
const empty = () => new Response('', { headers: { 'content-type': 'text/plain' } })
/** Some argument is refused, and this one is served as nothing. */
const excused = (when: (arg: string | null) => boolean) =>
  excusing(cat, empty, (request) => when(queryOf(request).get('arg')))

const errorJson = (change: (error: Record<string, unknown>) => unknown) =>
  excusing(cat, (response) =>
    withBody(response, (bytes) => `${JSON.stringify(change(JSON.parse(Buffer.from(bytes).toString())))}\n`),
  )

export const faults = [
  corruption(
    'storage.cat.unknown-empty',
    'cat of what the node does not have is an empty 200',
    ['storage.cat.unknown'],
    { storage: excused((arg) => /^Qm\w{44}$/.test(arg ?? '')) },
    'knows that only one CID means nothing',
  ),
  interoperability(
    'storage.cat.invalid-empty',
    'cat of what is no CID is an empty 200',
    ['storage.cat.invalid-cid'],
    {
      storage: excused((arg) => arg === 'notacid'),
    },
  ),
  interoperability(
    'storage.cat.namespace-empty',
    'cat of a path in an unknown namespace is an empty 200',
    ['storage.cat.invalid-cid'],
    { storage: excused((arg) => arg?.startsWith('/') === true) },
  ),
  interoperability(
    'storage.cat.invalid-hangs',
    'cat of what is no CID is never answered',
    ['storage.cat.invalid-cid'],
    {
      storage: answering(
        (request) => isCat(request) && argOf(request) === 'bafy',
        () => new Promise(() => {}),
      ),
    },
    'gives up after a while',
  ),
  interoperability(
    'storage.cat.no-arg',
    'cat without an argument is an empty 200',
    ['storage.cat.missing-arg'],
    {
      storage: excused((arg) => arg === null),
    },
  ),
  interoperability(
    'storage.cat.empty-arg',
    'cat of an empty argument is an empty 200',
    ['storage.cat.missing-arg'],
    {
      storage: excused((arg) => arg === ''),
    },
  ),
  interoperability(
    'storage.cat.error-200',
    'errors come with the status 200',
    [...errors, 'storage.cat.unknown'],
    {
      storage: excusing(cat, (response) => withStatus(response, 200)),
    },
  ),
  cosmetic('storage.cat.error-silent', 'errors have an empty Message', errors, {
    storage: errorJson((error) => ({ ...error, Message: '' })),
  }),
  cosmetic('storage.cat.error-nested', 'the Message of errors is an object', errors, {
    storage: errorJson((error) => ({ ...error, Message: { text: error['Message'] } })),
  }),
  cosmetic('storage.cat.error-code-text', 'the Code of errors is a string', errors, {
    storage: errorJson((error) => ({ ...error, Code: String(error['Code']) })),
  }),
  cosmetic('storage.cat.error-no-type', 'errors have no Type', errors, {
    storage: errorJson(({ Type: _, ...error }) => error),
  }),
  cosmetic('storage.cat.error-no-json', 'errors are text that is labelled as JSON', errors, {
    storage: excusing(cat, (response) => withBody(response, () => 'Error: invalid path\n')),
  }),
]
