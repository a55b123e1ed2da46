import { describe } from 'vitest'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import { expectThat } from '../../harness/finding.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import { should } from '../../harness/requirement.ts'
import type { RegistryTarget } from '../../harness/target.ts'
import { pushBlob } from '../push.ts'
import { test } from '../registry.ts'
import { theService } from '../specifications.ts'
import { openLog } from './log-file.ts'

type LogRecord = Readonly<Record<string, unknown>>

const text = (value: unknown) => typeof value === 'string' && value !== ''
const instant = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]00:?00)$/.test(value)

const ofAll: Readonly<Record<string, (value: unknown) => boolean>> = {
  timestamp: instant,
  level: text,
  service: text,
  event: text,
}
const jsonWebToken = /\beyJ[\w-]{8,}\.eyJ[\w-]{4,}\./

describe('The log', () => {
  test(
    'service.log.record',
    should(
      'Each line is a JSON object with timestamp (UTC), level, service and event; that of a blob_upload also tells repository, digest, ipfs_cid, size and duration_ms; no line has a token or a password',
      theService('Log', '#log'),
      { needs: ['registry', 'push', 'logs'], on: 'stack' },
    ),
    async ({ client, registry, repository, content, http }) => {
      const log = await openLog(http, registry.target.logs ?? '')
      const blob = await pushBlob(client, repository, content.bytes(1234))
      const lines = await log.linesOnce(blob.digest)
      const records = lines.map(recordOf)
      const upload = records.find(({ event, digest }) => event === 'blob_upload' && digest === blob.digest)
      expectThat(
        upload !== undefined,
        `a record of blob_upload for ${blob.digest}`,
        `${lines.length} other lines`,
      )
      expectMembers(upload, {
        repository: (value) => value === repository,
        ipfs_cid: text,
        size: (value) => value === blob.size,
        duration_ms: Number.isInteger,
      })
      const secrets = await secretsIn(registry.target, client, repository)
      const leaks = lines.filter(
        (line) => jsonWebToken.test(line) || secrets.some((secret) => line.includes(secret)),
      )
      expectThat(leaks.length === 0, 'no line with a token or a password', `${leaks.length} of them`)
    },
  )
})

/** The record of a line, with what every record has. */
function recordOf(line: string): LogRecord {
  const value = parsed(line)
  const record = typeof value === 'object' && value !== null ? (value as LogRecord) : undefined
  expectThat(record !== undefined, 'a JSON object on each line', line.slice(0, 200))
  expectMembers(record, ofAll)
  return record
}

function expectMembers(record: LogRecord, rules: typeof ofAll): void {
  for (const [name, holds] of Object.entries(rules)) {
    const seen = `${name}: ${JSON.stringify(record[name])} in ${JSON.stringify(record).slice(0, 200)}`
    expectThat(holds(record[name]), `a right ${name} in each record`, seen)
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** What the registry was shown to push the blob. */
async function secretsIn(
  { accounts = {} }: RegistryTarget,
  client: RegistryClient,
  repository: string,
): Promise<readonly string[]> {
  const token = client.token([`repository:${repository}:pull,push`]).catch((error: unknown) => {
    if (error instanceof PrerequisiteFailure) return []
    throw error
  })
  return [...Object.values(accounts).map(({ password }) => password), ...[await token].flat()]
}
