import type { Exchange } from '../harness/exchange.ts'
import type { Report, RequirementResult, Verdict, VerdictCounts } from '../harness/report.ts'
import type { Interface, Level } from '../harness/requirement.ts'

const registry = 'http://127.0.0.1:5000'

/** An exchange with the given parts; `GET /v2/` answered 200 where nothing is given. */
export function exchange(
  request: Partial<Exchange['request']> = {},
  response: Partial<NonNullable<Exchange['response']>> | undefined = {},
): Exchange {
  return {
    request: { method: 'GET', url: `${registry}/v2/`, headers: [['accept', '*/*']], ...request },
    ...(response ? { response: { status: 200, headers: [], ...response } } : { failure: 'connection reset' }),
    durationMs: 2.5,
    startedAt: '2026-11-21T03:00:00.500Z',
  }
}

/** A result that holds, with the given parts put over it. */
export function result(id: string, parts: Partial<RequirementResult> = {}): RequirementResult {
  return {
    id,
    interface: 'registry',
    level: 'MUST',
    statement: `The registry does what ${id} says.`,
    source: {
      document: 'OCI Distribution 1.1.1',
      section: 'Pulling manifests',
      url: 'https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pulling-manifests',
    },
    verdict: 'holds',
    reason: 'Status 200, as asked.',
    durationMs: 12.25,
    exchanges: [exchange()],
    ...(parts.verdict === 'not-verified' ? { cause: 'not-configured', exchanges: [] } : {}),
    ...parts,
  }
}

function counts(results: readonly RequirementResult[]): VerdictCounts {
  const of = (verdict: Verdict) => results.filter((each) => each.verdict === verdict).length
  return {
    holds: of('holds'),
    violated: of('violated'),
    deviates: of('deviates'),
    'not-verified': of('not-verified'),
    error: of('error'),
  }
}

function levels(results: readonly RequirementResult[]): Record<Level, VerdictCounts> {
  const at = (level: Level) => counts(results.filter((each) => each.level === level))
  return { MUST: at('MUST'), SHOULD: at('SHOULD'), MAY: at('MAY') }
}

/** A report over these results, its counts and verdict computed from them. */
export function report(requirements: readonly RequirementResult[], parts: Partial<Report> = {}): Report {
  const { violated, error } = counts(requirements)
  const interfaces = new Set<Interface>(requirements.map((each) => each.interface))
  const reasons = [
    ...(violated > 0 ? [`${violated} of ${requirements.length} requirements are violated MUSTs`] : []),
    ...(error > 0 ? [`Assay failed on ${error}`] : []),
  ]
  return {
    schemaVersion: 1,
    tool: { name: 'assay', version: '0.1.0' },
    startedAt: '2026-11-21T03:00:00.000Z',
    durationMs: 4210.5,
    seed: 20261121,
    profile: 'service',
    spec: '1.1',
    command: `assay test --registry ${registry} --seed 20261121`,
    targets: { registry: { url: registry } },
    namespace: 'conformance',
    capabilities: {
      delete: { offered: true, reason: 'DELETE of a tag answered 202.' },
      referrers: { offered: false, reason: 'GET of referrers answered 404.', cause: 'capability-absent' },
    },
    summary: {
      verdict: reasons.length === 0 ? 'conformant' : 'non-conformant',
      reasons,
      byVerdict: counts(requirements),
      byLevel: levels(requirements),
      byInterface: Object.fromEntries(
        [...interfaces].map((name) => [name, levels(requirements.filter((each) => each.interface === name))]),
      ),
    },
    requirements,
    ...parts,
  }
}

/** One result of every verdict and cause, with exchanges, as a run against a faulty registry gives them. */
export const everyVerdict: readonly RequirementResult[] = [
  result('oci.pull.manifest.get.by-tag.200', {
    statement: 'A manifest that was pushed under a tag is answered with 200.',
  }),
  result('oci.push.blob.chunk.out-of-order.416', {
    statement: 'A chunk that does not follow the last one is refused with 416.',
    verdict: 'violated',
    reason: 'The second chunk was sent before the first and was accepted.',
    expected: 'status 416',
    seen: 'status 202',
    exchanges: [
      exchange(
        { method: 'POST', url: `${registry}/v2/conformance/a/blobs/uploads/` },
        { status: 202, headers: [['Location', '/v2/conformance/a/blobs/uploads/6e1f']] },
      ),
      exchange(
        {
          method: 'PATCH',
          url: `${registry}/v2/conformance/a/blobs/uploads/6e1f`,
          headers: [
            ['content-range', '10-19'],
            ['authorization', 'Bearer [secret]'],
          ],
          body: { size: 10, text: '0123456789' },
        },
        { status: 202, headers: [['Range', '0-9']] },
      ),
      exchange({ method: 'DELETE', url: `${registry}/v2/conformance/a/blobs/uploads/6e1f` }, { status: 204 }),
    ],
    reproduce: '#!/bin/sh\ncurl -sS -i http://127.0.0.1:5000/v2/\n',
  }),
  result('oci.discovery.tags.sorted', {
    level: 'SHOULD',
    statement: 'Tags are listed in lexical order.',
    verdict: 'deviates',
    reason: 'Tags came in the order of pushing.',
    expected: '["a","b"]',
    seen: '["b","a"]',
  }),
  result('auth.verify.expired.401', {
    statement: 'An expired token is refused with 401.',
    verdict: 'not-verified',
    cause: 'not-configured',
    reason: 'The target file gives no signingKey.',
  }),
  result('auth.token.claims.aud', {
    interface: 'token',
    verdict: 'not-verified',
    cause: 'prerequisite-failed',
    reason: 'The token could not be fetched: status 500.',
  }),
  result('storage.gc.unpinned', {
    interface: 'storage',
    verdict: 'error',
    reason: 'TypeError: x is not a function',
  }),
]
