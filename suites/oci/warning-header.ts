import { emptyConfig } from '../../fixtures/config.ts'
import type { Answer } from '../../harness/answer.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import { askFor } from './existing.ts'
import { blobPath, type ExistingManifest } from './named-content.ts'

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
  client: RegistryClient,
  manifest: ExistingManifest,
): Promise<readonly Answer[]> {
  const { repository, digest, blob } = manifest
  const answers = [
    await client.get('/v2/'),
    await askFor(client, manifest, digest),
    await askFor(client, manifest, digest, { method: 'HEAD' }),
    await client.get(blobPath(blob)),
    await client.head(blobPath(blob)),
    await client.get(`/v2/${repository}/tags/list`),
    await client.get(`/v2/${repository}/referrers/${digest}`),
    await client.get(blobPath({ repository, digest: emptyConfig.digest.replace(/.$/, '0') })),
  ]
  return answers.filter((answer) => answer.header('warning') !== undefined)
}
