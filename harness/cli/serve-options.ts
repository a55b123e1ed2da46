import { InvalidArgumentError, Option } from 'commander'
import type { StackOptions } from '../../mocks/stack/options.ts'

/** The flags of `assay serve` as commander hands them over. */
export interface ServeFlags {
  readonly registryPort: number
  readonly storagePort: number
  readonly gatewayPort: number
  readonly graphqlPort: number
  readonly host: string
  readonly database?: NonNullable<StackOptions['database']>
  readonly storageUrl?: string
  readonly data?: string
  readonly instances: number
  readonly open?: boolean
  readonly sparse?: boolean
  readonly extensions?: NonNullable<StackOptions['extensions']>
  readonly seed?: string
  readonly fault: readonly string[]
  readonly json?: boolean
}

const port = (flag: string, standard: number, what: string) =>
  new Option(`--${flag} <PORT>`, `port of ${what}; 0 takes any free one`)
    .default(standard)
    .argParser((text) => wholeNumber(text, 0, 65_535))

const extensions = ['compat', 'legacy'] as const

export const serveOptions: readonly Option[] = [
  port('registry-port', 5000, 'the registry'),
  port('storage-port', 5001, "the storage node's API"),
  port('gateway-port', 8080, "the storage node's gateway"),
  port('graphql-port', 4000, 'the platform API'),
  new Option('--host <ADDRESS>', 'where the ports are bound').default('127.0.0.1'),
  new Option(
    '--database <WHERE>',
    'pg-mem, embedded (a real PostgreSQL), or postgres://USER:PASSWORD@HOST/NAME',
  ),
  new Option('--storage-url <URL>', 'the RPC address of a real Kubo, used instead of the mock'),
  new Option('--data <DIR>', 'keep contents there; otherwise a temporary folder is used and removed'),
  new Option(
    '--instances <N>',
    'registries on one database and one storage node; all but the first on free ports',
  )
    .default(1)
    .argParser((text) => wholeNumber(text, 1, 100)),
  new Option('--open', 'the registry asks for no login'),
  new Option('--sparse', 'the registry accepts manifests whose blobs are absent'),
  new Option(
    '--extensions <LIST>',
    `what the platform API offers beyond its core: ${extensions.join(', ')}`,
  ).argParser(extensionList),
  new Option('--seed <FILE>', 'projects and services that the platform API has from the start (JSON)'),
  new Option('--fault <ID>', 'misbehave on purpose (repeatable; `assay faults` lists them)')
    .default([] as string[], 'none')
    .argParser((id: string, before: string[]) => [...before, id]),
  new Option('--json', 'print the target object on one line of stdout once everything listens'),
]

function wholeNumber(text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
}

function extensionList(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !extensions.some((known) => known === name))
  if (unknown === undefined) return names
  throw new InvalidArgumentError(`There is no extension "${unknown}"; there are: ${extensions.join(', ')}.`)
}
