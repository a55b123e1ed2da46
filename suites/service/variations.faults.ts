import { randomUUID } from 'node:crypto'
import { rewriting, to, withBody, withHeaders } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { misread } from '../oci/seams.faults.ts'
import { variation } from '../oci/variation.faults.ts'
import { changing, path, rewording } from '../oci/wire.ts'

const catalog = /\/v2\/_catalog$/

const logging = (change: (line: string) => string): Seams => ({ log: (next) => (line) => next(change(line)) })
const recording = (change: (record: Readonly<Record<string, unknown>>) => unknown): Seams =>
  logging((line) => JSON.stringify(change(JSON.parse(line))))

export const variations = [
  variation('service.variation.base-spaced', 'the empty object of GET /v2/ has white space in it', {
    registry: rewording(path.root, () => ' {\r\n} \n'),
  }),
  variation(
    'service.variation.catalog-short-pages',
    'no page of the catalogue has more than two names, and Link leads on',
    {
      registry: misread(to('GET', catalog), ({ url }) => {
        const n = Number(url.searchParams.get('n') ?? '3')
        if (n > 2) url.searchParams.set('n', '2')
        return { url }
      }),
    },
  ),
  variation('service.variation.catalog-more-members', 'the catalogue has members that nobody asked for', {
    registry: rewording(catalog, (text) => JSON.stringify({ total: 3, ...JSON.parse(text), next: null })),
  }),
  variation('service.variation.catalog-link-absolute', 'the Link of the catalogue is absolute', {
    registry: changing('GET', catalog, (response, { url }) => {
      const link = response.headers.get('link')
      return link === null
        ? response
        : withHeaders(response, { link: link.replace('<', `<${new URL(url).origin}`) })
    }),
  }),
  variation('service.variation.instance-named', 'each instance names itself in a header', {
    registry: (next) => {
      const name = Math.random().toString(36).slice(2)
      return rewriting(
        () => true,
        (response) => withHeaders(response, { 'x-served-by': name }),
      )(next)
    },
  }),
  variation(
    'service.variation.error-names-request',
    'the message of an error names the one request that it answers',
    {
      registry: rewriting(to('*', /^\/v2\//), async (response) =>
        response.status >= 400 && (await response.clone().text()).startsWith('{"errors"')
          ? withBody(response, (body) =>
              Buffer.from(body)
                .toString()
                .replaceAll('"message":"', () => `"message":"request ${randomUUID()}: `),
            )
          : response,
      ),
    },
  ),
  variation('service.variation.upload-uuid-capitals', 'the UUID of an upload is told in capitals', {
    registry: (next) =>
      rewriting(to('*', /\/blobs\/uploads\//), (response) =>
        withHeaders(response, {
          'docker-upload-uuid': response.headers.get('docker-upload-uuid')?.toUpperCase() ?? null,
        }),
      )(
        misread(to('*', /\/blobs\/uploads\/[^/]+$/), ({ url }) => {
          url.pathname = url.pathname.replace(/[^/]+$/, (id) => id.toLowerCase())
          return { url }
        })(next),
      ),
  }),
  variation(
    'service.variation.log-more',
    'records of the log have members that nobody asked for, in another order',
    recording((record) => Object.fromEntries([['trace', 'f00d'], ...Object.entries(record).reverse()])),
  ),
  variation(
    'service.variation.log-absent',
    'members of a record that do not apply are left out',
    recording((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))),
  ),
  variation(
    'service.variation.log-offset',
    'timestamps of the log say +00:00, and seconds without a fraction',
    recording((record) => ({
      ...record,
      timestamp: String(record['timestamp']).replace(/(\.\d+)?Z$/, '+00:00'),
    })),
  ),
  variation('service.variation.log-between', 'other records stand between those of uploads', {
    log: (next) => (line) => {
      next(JSON.stringify({ ...JSON.parse(line), event: 'heartbeat', digest: null, repository: null }))
      next(line)
    },
  }),
]
