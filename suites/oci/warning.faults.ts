import { faultKinds } from '../../harness/fault-kinds.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { setting } from './wire.ts'

const { interoperability, cosmetic } = faultKinds<Seams>()

const warning = (text: string) => ({ registry: setting('GET', /\/v2\//, { warning: text }) })
const long = (length: number) => `299 - "${'x'.repeat(length)}"`

export const faults = [
  cosmetic(
    'oci.warning.code-199',
    'a warning has the code 199',
    ['oci.warning.code-299'],
    warning('199 - "stale"'),
  ),
  cosmetic(
    'oci.warning.second-code',
    'the second of two warnings has the code 214',
    ['oci.warning.code-299'],
    warning('299 - "one, of two", 214 - "changed"'),
  ),
  cosmetic(
    'oci.warning.agent-host',
    'a warning names the host as its agent',
    ['oci.warning.agent-dash'],
    warning('299 registry.example:5000 "old"'),
  ),
  cosmetic(
    'oci.warning.dated',
    'a warning has a date',
    ['oci.warning.no-date'],
    warning('299 - "old" "Sat, 21 Nov 2026 00:00:00 GMT"'),
  ),
  cosmetic(
    'oci.warning.unquoted',
    'the text of a warning is not quoted',
    ['oci.warning.quoted'],
    warning('299 - old'),
  ),
  cosmetic(
    'oci.warning.single-quotes',
    'the text of a warning is in single quotes',
    ['oci.warning.quoted'],
    warning("299 - 'old'"),
  ),
  interoperability(
    'oci.warning.too-long',
    'a warning is longer than 4096 bytes',
    ['oci.warning.total-4096'],
    warning(long(5000)),
  ),
  interoperability(
    'oci.warning.too-many',
    'the warnings of one answer are longer than 4096 bytes together',
    ['oci.warning.total-4096'],
    warning([long(1500), long(1500), long(1500)].join(', ')),
  ),
]
