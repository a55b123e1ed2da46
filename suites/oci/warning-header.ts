import type { Answer } from '../../harness/answer.ts'
import type { Registry } from '../registry.ts'
import { askForManifest, readBlob } from './existing-reads.ts'
import type { ExistingBlob, ExistingManifest } from './named-content.ts'
import { unknownBlob } from './refusals.ts'

/** One warning-value of a Warning header (RFC 7234, 5.5), as far as it could be read. */
export interface Warning {
  readonly code: string
  readonly agent: string
  /** The text with its quotes, or whatever stands in its place. */
  readonly text: string
  readonly date?: string
}

/** A warning-value up to the comma that ends it; commas in quoted strings belong to it. */
const value = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g
const parts = /^(\S*)[ \t]*(\S*)[ \t]*("(?:[^"\\]|\\.)*"|[^"]*)[ \t]*(.*)$/s

/** The warnings of one answer. */
export function warningsOf(answer: Answer): readonly Warning[] {
  return answer
    .headerValues('warning')
    .flatMap((header) => header.match(value) ?? [header])
    .map((one) => {
      const [, code = '', agent = '', text = '', date = ''] = parts.exec(one.trim()) ?? []
      return { code, agent, text, ...(date !== '' && { date }) }
    })
}

/** What a client does all day, to see whether the registry warns of anything; the answers that do. */
export async function answersThatWarn(
  registry: Registry,
  manifest: ExistingManifest,
  blob: ExistingBlob,
): Promise<readonly Answer[]> {
  const { repository, digest } = manifest
  const answers = [
    await askForManifest(registry, 'GET', manifest),
    await askForManifest(registry, 'HEAD', manifest),
    (await readBlob(registry, 'GET', blob)).last,
    (await readBlob(registry, 'HEAD', blob)).last,
    ...(await unknownBlob(registry, blob)),
    ...(await registry.once('day-of-a-client', async ({ client }) => [
      await client.get('/v2/'),
      await client.get(`/v2/${repository}/tags/list`),
      await client.get(`/v2/${repository}/referrers/${digest}`),
    ])),
  ]
  return answers.filter((answer) => answer.header('warning') !== undefined)
}
