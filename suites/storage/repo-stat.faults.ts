import { faultKinds } from '../../harness/fault-kinds.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { altering, changing, type Line, restatus, rpc, type Seam, telling } from './seams.faults.ts'

const { interoperability, cosmetic, corruption } = faultKinds<Seams>()
const { add, stat, config } = rpc

const repoSize = ['storage.repo-stat', 'storage.repo-stat.fields']
const fields = ['storage.repo-stat.fields']
const max = ['storage.repo-stat.storage-max']
const grows = ['storage.repo-stat.grows']

const stating = (change: (stat: Line) => Line): Seams => ({
  storage: telling(stat, (line) => ({ ...line, ...change(line) })),
})

/** Counts bytes on top of what there is: those that `count` finds in the answer to an add. */
const counting =
  (count: (added: Line, known: Set<unknown>) => number): Seam =>
  (next) => {
    const known = new Set<unknown>()
    let extra = 0
    const adding = changing(add, async (response) => {
      const text = await response.text()
      extra += count(JSON.parse(text), known)
      return new Response(text, { headers: { 'content-type': 'application/json' } })
    })(next)
    return telling(stat, (line) => ({ ...line, RepoSize: Number(line['RepoSize']) + extra }))(adding)
  }

export const faults = [
  interoperability('storage.repo-stat.status-203', 'repo/stat answers 203', ['storage.repo-stat'], {
    storage: restatus(stat, 203),
  }),
  interoperability(
    'storage.repo-stat.as-text',
    'repo/stat answers in the words of the command line',
    ['storage.repo-stat'],
    {
      storage: altering(stat, (bytes) =>
        Object.entries(JSON.parse(Buffer.from(bytes).toString()))
          .map(([name, value]) => `${name}: ${value}\n`)
          .join(''),
      ),
    },
  ),
  interoperability(
    'storage.repo-stat.size-string',
    'RepoSize is a string',
    repoSize,
    stating(({ RepoSize }) => ({ RepoSize: String(RepoSize) })),
  ),
  interoperability('storage.repo-stat.size-missing', 'repo/stat does not tell RepoSize', repoSize, {
    storage: telling(stat, ({ RepoSize: _, ...line }) => line),
  }),
  interoperability(
    'storage.repo-stat.size-fraction',
    'RepoSize is in megabytes',
    repoSize,
    stating(({ RepoSize }) => ({ RepoSize: (Number(RepoSize) + 0.5) / 1e6 })),
  ),
  interoperability(
    'storage.repo-stat.size-negative',
    'RepoSize runs over and is negative',
    repoSize,
    stating(() => ({ RepoSize: -1 })),
  ),
  interoperability(
    'storage.repo-stat.max-text',
    'StorageMax is the text of the configuration',
    [...fields, ...max],
    stating(() => ({ StorageMax: '100GB' })),
  ),
  interoperability(
    'storage.repo-stat.objects-negative',
    'NumObjects is -1, as nobody has counted',
    fields,
    stating(() => ({ NumObjects: -1 })),
  ),
  interoperability('storage.repo-stat.objects-missing', 'repo/stat does not tell NumObjects', fields, {
    storage: telling(stat, ({ NumObjects: _, ...line }) => line),
  }),
  cosmetic(
    'storage.repo-stat.old',
    'RepoSize is that of the start',
    grows,
    {
      storage: (next) => {
        let first: unknown
        return telling(stat, (line) => {
          first ??= line['RepoSize']
          return { ...line, RepoSize: first }
        })(next)
      },
    },
    'looks at the disk itself',
  ),
  cosmetic(
    'storage.repo-stat.kibibytes',
    'RepoSize is in units of 1024 bytes',
    grows,
    stating(({ RepoSize }) => ({ RepoSize: Number(RepoSize) >> 10 })),
    'looks at the disk itself',
  ),
  interoperability(
    'storage.repo-stat.twice',
    'new content takes up twice its size',
    grows,
    { storage: counting(({ Size }) => Number(Size)) },
    'allows for it',
  ),
  corruption(
    'storage.repo-stat.no-dedup',
    'content that is there already is stored again',
    ['storage.repo-stat.dedup'],
    {
      storage: counting(({ Hash, Size }, known) => {
        if (known.has(Hash)) return Number(Size)
        known.add(Hash)
        return 0
      }),
    },
    'asks whether the node has a content before it adds it',
  ),
  interoperability(
    'storage.repo-stat.max-binary',
    '100GB means 100 times 1024³ bytes',
    max,
    stating(() => ({ StorageMax: 107_374_182_400 })),
  ),
  interoperability(
    'storage.repo-stat.max-unlimited',
    'StorageMax is 0, whatever the configuration says',
    max,
    stating(() => ({ StorageMax: 0 })),
  ),
  interoperability('storage.repo-stat.config-binary', 'a limit of 100GiB is counted in decimal units', max, {
    storage: telling(config, (line) => ({ ...line, Value: '100GiB' })),
  }),
]
