import type { Exchange } from './exchange.ts'
import type { RequirementResult } from './report.ts'

type Judged = Pick<RequirementResult, 'verdict' | 'cause' | 'reason' | 'exchanges'>

/** So few answers may be alike by chance. */
const fewest = 20

/**
 * What is wrong with a target as a whole, where one cause lies behind many findings: one plain sentence for each,
 * without a full stop. Says nothing of a target that only breaks some rules.
 */
export function symptoms(results: readonly Judged[]): readonly string[] {
  return [...sameAnswers(results), ...forgetting(results), ...breakingDown(results), ...commonStep(results)]
}

/** Every request to one origin got the same. */
function sameAnswers(results: readonly Judged[]): readonly string[] {
  const byOrigin = new Map<string, string[]>()
  for (const { request, response } of results.flatMap(({ exchanges }) => exchanges)) {
    // A HEAD has no body to compare.
    if (!response || request.method === 'HEAD' || !URL.canParse(request.url)) continue
    const { origin } = new URL(request.url)
    const { size = 0, digest = '' } = response.body ?? {}
    const body = size === 0 ? 'an empty body' : `the same body of ${size} bytes`
    byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), `${response.status} and ${body}\n${digest}`])
  }
  return [...byOrigin].flatMap(([origin, answers]) =>
    answers.length >= fewest && new Set(answers).size === 1
      ? [`${origin} answered all of ${answers.length} requests with ${answers[0]?.split('\n')[0]}`]
      : [],
  )
}

/** What was acknowledged with 201 was not there afterwards, or not as it was. */
function forgetting(results: readonly Judged[]): readonly string[] {
  const readings = results.flatMap(({ exchanges }) => readingsBack(exchanges))
  const times = (outcome: Reading) => readings.filter((reading) => reading === outcome).length
  const often = (outcome: Reading) => readings.length >= fewest && times(outcome) > readings.length / 2
  const pushed = 'what was pushed and acknowledged with 201'
  return [
    ...(often('gone')
      ? [`${pushed} was not there when read back, ${times('gone')} of ${readings.length} times`]
      : []),
    ...(often('other')
      ? [`${pushed} came back as something else, ${times('other')} of ${readings.length} times`]
      : []),
  ]
}

type Reading = 'there' | 'gone' | 'other'

/** The first readings of what the same requirement pushed whole, unless it deletes. */
function readingsBack(exchanges: readonly Exchange[]): readonly Reading[] {
  if (exchanges.some(({ request }) => request.method === 'DELETE')) return []
  const pushes = exchanges.flatMap(({ request, response }, at) => {
    const name = response?.status === 201 ? nameOf(request) : undefined
    return name === undefined ? [] : [{ name, at, digest: request.body?.digest }]
  })
  return pushes.flatMap(({ name, at, digest }) => {
    const reading = exchanges
      .slice(at + 1)
      .find(({ request }) => request.method === 'GET' && request.url.endsWith(`/${name}`))
    return reading?.response ? [outcome(reading.response, digest)] : []
  })
}

function outcome({ status, body }: NonNullable<Exchange['response']>, pushed: string | undefined): Reading {
  if (status === 404) return 'gone'
  return status === 200 && pushed !== undefined && body?.digest !== pushed ? 'other' : 'there'
}

/** The digest or tag under which a push puts something. */
function nameOf({ method, url }: Exchange['request']): string | undefined {
  if (method !== 'PUT' && method !== 'POST') return undefined
  const digest = /[?&]digest=([^&]+)/.exec(url)?.[1]
  return digest === undefined ? /\/manifests\/([^/?]+)$/.exec(url)?.[1] : decodeURIComponent(digest)
}

/** Some answers are no answers, now and then. */
function breakingDown(results: readonly Judged[]): readonly string[] {
  const exchanges = distinct(results.flatMap((result) => result.exchanges))
  const broken = exchanges.filter(
    ({ response, failure }) =>
      (response?.status ?? 0) >= 500 || (!response && !/on purpose/.test(failure ?? '')),
  ).length
  return broken >= 3 && broken < exchanges.length / 2
    ? [`${broken} of ${exchanges.length} requests got a 5xx, or no whole answer`]
    : []
}

/** What several requirements share is in the record of each. */
const distinct = (exchanges: readonly Exchange[]): readonly Exchange[] => [
  ...new Map(
    exchanges.map((one) => [
      `${one.startedAt} ${one.durationMs} ${one.request.method} ${one.request.url}`,
      one,
    ]),
  ).values(),
]

/** Many requirements fail at the same step before they begin. */
function commonStep(results: readonly Judged[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { cause, reason } of results) {
    if (cause !== 'prerequisite-failed' || /the run was stopped/.test(reason)) continue
    const step = reason.replace(/https?:\/\/\S+/g, '…')
    counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a)
  return first && first[1] >= fewest ? [`${first[1]} requirements got no further than this: ${first[0]}`] : []
}
