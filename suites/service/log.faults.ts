import { faultKinds } from '../../harness/fault-kinds.ts'
import type { Seams } from '../../mocks/control/fault.ts'

const { security, interoperability, cosmetic } = faultKinds<Seams>()

const caught = ['service.log.record']
type LogRecord = Readonly<Record<string, unknown>>

/** Writes another line, or none. */
const writing = (change: (line: string) => string | undefined): Seams => ({
  log: (next) => (line) => {
    const other = change(line)
    if (other !== undefined) next(other)
  },
})
const recording = (change: (record: LogRecord) => LogRecord): Seams =>
  writing((line) => JSON.stringify(change(JSON.parse(line))))

const without = (name: string) =>
  recording((record) => Object.fromEntries(Object.entries(record).filter(([key]) => key !== name)))

/** Remembers how a client came, and writes it into the log. */
function telling(header: (authorization: string) => string): Seams {
  let last = ''
  return {
    registry: (next) => (request, context) => {
      last = request.headers.get('authorization') ?? last
      return next(request, context)
    },
    ...recording((record) => ({ ...record, client: header(last) })),
  }
}

const basic = /^basic (.*)$/i
let password = ''

export const faults = [
  interoperability(
    'service.log.none',
    'nothing is logged of uploads',
    caught,
    writing((line) => (line.includes('blob_upload') ? undefined : line)),
  ),
  interoperability(
    'service.log.plain-text',
    'the log is text for people',
    caught,
    writing((line) => Object.values(JSON.parse(line)).join(' ')),
  ),
  interoperability(
    'service.log.prefixed',
    'each line begins with the time, before its object',
    caught,
    writing((line) => `2026-01-01 INFO ${line}`),
  ),
  interoperability(
    'service.log.scalars',
    'a line that is no object stands between the records',
    caught,
    writing((line) => `${line}\n42`),
  ),
  ...[
    'timestamp',
    'level',
    'service',
    'event',
    'repository',
    'digest',
    'ipfs_cid',
    'size',
    'duration_ms',
  ].map((name) =>
    cosmetic(`service.log.no-${name.replace('_', '-')}`, `records have no ${name}`, caught, without(name)),
  ),
  cosmetic(
    'service.log.local-time',
    'timestamps are in local time, without a zone',
    caught,
    recording((record) => ({ ...record, timestamp: String(record['timestamp']).replace('Z', '') })),
  ),
  cosmetic(
    'service.log.zone-of-server',
    "timestamps are in the server's time zone",
    caught,
    recording((record) => ({ ...record, timestamp: String(record['timestamp']).replace('Z', '+02:00') })),
  ),
  cosmetic(
    'service.log.level-number',
    'level is a number',
    caught,
    recording((record) => ({ ...record, level: 30 })),
  ),
  cosmetic(
    'service.log.size-text',
    'size is text',
    caught,
    recording((record) => ({ ...record, size: `${record['size']} B` })),
  ),
  cosmetic(
    'service.log.size-of-request',
    'size is that of the request with its headers',
    caught,
    recording((record) => ({ ...record, size: Number(record['size']) + 512 })),
  ),
  cosmetic(
    'service.log.duration-text',
    'duration_ms is text with a unit',
    caught,
    recording((record) => ({ ...record, duration_ms: '3ms' })),
  ),
  cosmetic(
    'service.log.repository-cut',
    'the repository is logged without the first part of its name',
    caught,
    recording((record) => ({ ...record, repository: String(record['repository']).replace(/^[^/]*\//, '') })),
  ),
  security(
    'service.log.token',
    'the token of the client is logged',
    caught,
    telling((authorization) => authorization),
  ),
  security('service.log.password', 'the password of the client is logged', caught, {
    registry: (next) => async (request, context) => {
      const [, encoded = ''] = basic.exec(request.headers.get('authorization') ?? '') ?? []
      password = Buffer.from(encoded, 'base64').toString().split(':')[1] || password
      return next(request, context)
    },
    ...recording((record) => ({ ...record, account: password })),
  }),
]
