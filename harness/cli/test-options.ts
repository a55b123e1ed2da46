import { InvalidArgumentError, Option } from 'commander'
import type { Profile } from '../report.ts'
import type { Level, SpecVersion } from '../requirement.ts'
import { collect } from './collect.ts'

/** The flags of `assay test` as commander hands them over. */
export interface TestFlags {
  readonly registry?: string
  readonly storage?: string
  readonly gateway?: string
  readonly graphql?: string
  readonly targets?: string
  readonly profile?: Profile
  readonly spec: SpecVersion
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly level: Lowercase<Level>
  readonly shard?: { readonly index: number; readonly count: number }
  readonly username?: string
  readonly password?: string
  readonly token?: string
  readonly graphqlToken?: string
  readonly seed?: number
  readonly namespace?: string
  readonly timeout: number
  readonly concurrency?: number
  readonly readOnly?: boolean
  readonly ca?: string
  readonly insecure?: boolean
  readonly strict?: boolean
  readonly baseline?: string
  readonly maxNotVerified?: number
  readonly report: readonly ReportRequest[]
}

export const reportFormats = ['json', 'junit', 'html', 'markdown'] as const
export type ReportFormat = (typeof reportFormats)[number]

export interface ReportRequest {
  readonly format: ReportFormat
  readonly path: string
}

function url(value: string): string {
  if (!/^https?:\/\/[^/?#\s]+/.test(value)) {
    throw new InvalidArgumentError('it must be a URL that begins with http:// or https://.')
  }
  return value.replace(/\/+$/, '')
}

function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value))) {
    throw new InvalidArgumentError('it must be a whole number.')
  }
  return Number(value)
}

function positive(value: string): number {
  const number = Number(value)
  if (!(number > 0 && number < 86_400)) throw new InvalidArgumentError('it must be a number above 0.')
  return number
}

function atLeastOne(value: string): number {
  const number = wholeNumber(value)
  if (number < 1) throw new InvalidArgumentError('it must be 1 or more.')
  return number
}

function shard(value: string): { index: number; count: number } {
  const [index = 0, count = 0] = /^\d+\/\d+$/.test(value) ? value.split('/').map(Number) : []
  if (index < 1 || index > count) {
    throw new InvalidArgumentError('it must be K/N with K from 1 to N, such as 2/4.')
  }
  return { index, count }
}

/** `--report FORMAT=PATH`, repeatable, with the formats that a command can write. */
export function reportOption(description: string, formats: readonly ReportFormat[] = reportFormats): Option {
  return new Option('--report <format=path>', description)
    .argParser((value: string, previous: readonly ReportRequest[]): readonly ReportRequest[] => {
      const [format = '', path = ''] = value.split(/=(.*)/s)
      const known = formats.find((name) => name === format)
      if (!known || path === '') {
        throw new InvalidArgumentError(`it must be FORMAT=PATH, where FORMAT is ${formats.join(', ')}.`)
      }
      return [...previous, { format: known, path }]
    })
    .default([], 'none')
}

/** Every flag of `assay test`, in the groups of its help. */
export const testOptions: readonly { readonly group: string; readonly options: readonly Option[] }[] = [
  {
    group: 'Where:',
    options: [
      new Option('--registry <url>', 'base of a registry, without /v2/').argParser(url),
      new Option('--storage <url>', 'RPC of a storage node, without /api/v0').argParser(url),
      new Option('--gateway <url>', 'gateway of a storage node').argParser(url),
      new Option('--graphql <url>', 'endpoint of the platform API').argParser(url),
      new Option('--targets <file>', 'targets as `assay serve --json` prints them (- reads standard input)'),
    ],
  },
  {
    group: 'Which rules:',
    options: [
      new Option(
        '--profile <name>',
        'oci: what any registry owes; service: also what our specification asks',
      ).choices(['oci', 'service']),
      new Option('--spec <version>', 'edition of OCI Distribution')
        .choices(['1.0', '1.1', 'dev'])
        .default('1.1'),
      new Option('--only <glob>', 'judge only ids that match (repeatable)')
        .argParser(collect)
        .default([], 'all'),
      new Option('--skip <glob>', 'leave out ids that match (repeatable)')
        .argParser(collect)
        .default([], 'none'),
      new Option('--level <level>', 'weakest level to judge')
        .choices(['must', 'should', 'may'])
        .default('may'),
      new Option('--shard <k/n>', 'judge the k-th of n parts').argParser(shard),
    ],
  },
  {
    group: 'Who:',
    options: [
      new Option('--username <name>', 'account of the registry').env('ASSAY_USERNAME'),
      new Option('--password <secret>', 'its password').env('ASSAY_PASSWORD'),
      new Option('--token <secret>', 'a token of the registry, used as it is').env('ASSAY_TOKEN'),
      new Option('--graphql-token <secret>', 'a personal access token of the platform').env(
        'ASSAY_GRAPHQL_TOKEN',
      ),
    ],
  },
  {
    group: 'How:',
    options: [
      new Option('--seed <n>', 'the same seed gives the same names and contents').argParser(wholeNumber),
      new Option('--namespace <name>', 'every repository of the run lies under it'),
      new Option('--timeout <seconds>', 'how long a request may be silent').argParser(positive).default(30),
      new Option(
        '--concurrency <n>',
        'requirements side by side (default: 24 on this machine, 4 elsewhere)',
      ).argParser(atLeastOne),
      new Option('--read-only', 'write nothing'),
      new Option('--ca <file>', 'PEM of an authority to trust'),
      new Option('--insecure', 'do not check certificates'),
    ],
  },
  {
    group: 'Judging:',
    options: [
      new Option('--strict', 'a deviation from a SHOULD fails the run'),
      new Option('--baseline <file>', 'known failures, each with a reason and an expiry date'),
      new Option('--max-not-verified <n>', 'fail when more is left unverified').argParser(wholeNumber),
    ],
  },
  {
    group: 'Output:',
    options: [
      reportOption(`${reportFormats.join(', ')} (repeatable; without it json and html in assay-report/)`),
    ],
  },
]

/** Those of the flags of `assay test` that another command shares, in their groups. */
export function sharedOptions(names: readonly string[]): typeof testOptions {
  return testOptions
    .map(({ group, options }) => ({
      group,
      options: options.filter((option) => names.includes(option.attributeName())),
    }))
    .filter(({ options }) => options.length > 0)
}
