import { expect, test } from 'vitest'
import { json } from './json.ts'
import schema from './report.schema.json' with { type: 'json' }
import { everyVerdict, exchange, report, result } from './sample.test-data.ts'
import { InvalidReport } from './schema-check.ts'
import { validate } from './validate.ts'

const valid = report(everyVerdict)
const [first, ...others] = everyVerdict

test('writes a report of every verdict and reads the same again', () => {
  expect(validate(JSON.parse(json(valid)))).toEqual(valid)
})

test.for([
  ['a version to come', { ...valid, schemaVersion: 2 }, '/schemaVersion must be 1'],
  ['an unknown member', { ...valid, extra: 1 }, 'the document has an unknown member "extra"'],
  ['a member that is missing', { ...valid, seed: undefined }, "must have required property 'seed'"],
  ['a bad time', { ...valid, startedAt: 'today' }, '/startedAt must match format "date-time"'],
  [
    'a secret in a target',
    { ...valid, targets: { registry: { url: 'http://x', password: 'p' } } },
    '/targets/registry has an unknown member "password"',
  ],
  [
    'a verdict of another program',
    { ...valid, requirements: [{ ...first, verdict: 'pass' }] },
    '/requirements/0/verdict must be one of holds, violated',
  ],
  [
    'a violated SHOULD',
    report([result('a.b', { level: 'SHOULD', verdict: 'violated' })]),
    '/requirements/0/level must be "MUST"',
  ],
  [
    'not verified without a cause',
    { ...valid, requirements: [...others, { ...first, verdict: 'not-verified' }] },
    "/requirements/5 must have required property 'cause'",
  ],
  [
    'a cause where it holds',
    { ...valid, requirements: [{ ...first, cause: 'left-out' }] },
    '/requirements/0 must NOT be valid',
  ],
  [
    'neither answer nor failure',
    { ...valid, requirements: [{ ...first, exchanges: [{ ...exchange(), response: undefined }] }] },
    "/requirements/0/exchanges/0 must have required property 'response'",
  ],
  ['an id twice', report([result('a.b'), result('a.b')]), '/requirements/1/id a.b is there twice'],
  ['no object at all', null, 'the document must be object'],
] as const)('refuses %s and names the place', ([, value, message]) => {
  expect(() => validate(value)).toThrow(InvalidReport)
  expect(() => validate(value)).toThrow(message)
})

test('names a few defects of many', () => {
  const broken = {
    ...valid,
    requirements: valid.requirements.map((each) => ({ ...each, level: 'must', durationMs: -1 })),
  }
  expect(() => validate(broken)).toThrow(/and \d+ more\.$/)
})

function nodes(node: unknown): Record<string, unknown>[] {
  if (typeof node !== 'object' || node === null) return []
  return [{ ...node }, ...Object.values(node).flatMap(nodes)]
}

test('the schema describes every member and lets no other in', () => {
  const definitions: Record<string, object> = schema.$defs
  const objects = nodes(schema).filter((node) => node['type'] === 'object' && 'properties' in node)
  const members = objects.flatMap((node) =>
    Object.entries(node['properties'] as Record<string, { $ref?: string }>),
  )
  const undescribed = members.filter(([, { $ref, ...member }]) => {
    const described = $ref === undefined ? member : definitions[$ref.slice('#/$defs/'.length)]
    return !described || !('description' in described)
  })
  expect(objects.length).toBeGreaterThan(10)
  expect(objects.filter((node) => node['additionalProperties'] !== false)).toEqual([])
  expect(undescribed).toEqual([])
})
