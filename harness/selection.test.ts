import { describe, expect, test } from 'vitest'
import type { RequirementMeta } from './requirement.ts'
import { requirement } from './requirement.ts'
import type { RunContext, Selection } from './run-context.ts'
import { matches, omission } from './selection.ts'

const everything: Selection = { profile: 'service', spec: '1.1', only: [], skip: [], level: 'MAY' }
const url = 'http://127.0.0.1:1'

function judged(id: string, changes: Partial<RequirementMeta> = {}, run: Partial<RunContext> = {}) {
  const source = { document: 'd', section: 's', url }
  const declared = requirement(id, { level: 'MUST', statement: 's', source, needs: [], ...changes })
  return omission(declared, {
    targets: { registry: { url }, storage: { url }, gateway: { url }, graphql: { url } },
    selection: everything,
    capabilities: {},
    access: { scheme: 'open' },
    transport: { timeoutMs: 1, connections: 1 },
    seed: 1,
    namespace: 'a',
    ...run,
  })
}
const selecting = (changes: Partial<Selection>) => ({ selection: { ...everything, ...changes } })

test.each([
  ['oci.*', 'oci.pull.blob', true],
  ['oci.*', 'xoci.pull', false],
  ['oci.pull', 'oci.pull.blob', false],
  ['oci.pull', 'ociXpull', false],
  ['*.range.*', 'oci.pull.blob.range.first', true],
  ['oci.pull.*.200', 'oci.pull.blob.get.200', true],
  ['a(b', 'a(b', true],
])('%s matches %s: %s', (glob, id, expected) => {
  expect(matches(glob, id)).toBe(expected)
})

test('what nothing speaks against is judged', () => {
  expect(judged('oci.pull.blob')).toBeUndefined()
})

describe('left out by the user', () => {
  test.each([
    ['--only', selecting({ only: ['oci.push.*', 'auth.*'] }), 'left out by --only'],
    ['--skip', selecting({ skip: ['x', 'oci.pull.*'] }), 'left out by --skip'],
  ])('%s', (_, run, reason) => {
    expect(judged('oci.pull.blob', {}, run)).toEqual({ cause: 'left-out', reason })
    expect(judged('auth.challenge.401', {}, run)).toBeUndefined()
  })

  test('one glob of --only is enough', () => {
    expect(judged('oci.pull.blob', {}, selecting({ only: ['x', 'oci.*'] }))).toBeUndefined()
  })

  test('the profile oci leaves out what only our specification asks of a registry', () => {
    const oci = selecting({ profile: 'oci' })
    const reason = 'the profile oci judges only what any registry owes'
    expect(judged('service.log.fields', {}, oci)).toEqual({ cause: 'left-out', reason })
    expect(judged('auth.token.get', {}, oci)).toMatchObject({ reason })
    for (const id of ['oci.pull.blob', 'auth.challenge.401', 'storage.add.cid', 'graphql.auth.missing']) {
      expect(judged(id, {}, oci)).toBeUndefined()
    }
  })

  test('a rule that the edition does not have', () => {
    const reason = 'not part of OCI Distribution 1.0'
    expect(judged('oci.a', { since: '1.1' }, selecting({ spec: '1.0' }))).toEqual({
      cause: 'left-out',
      reason,
    })
    expect(judged('oci.a', { since: '1.1' }, selecting({ spec: '1.1' }))).toBeUndefined()
    expect(judged('oci.a', { since: '1.1' }, selecting({ spec: 'dev' }))).toBeUndefined()
  })

  test('a level weaker than asked for, where the edition decides the level', () => {
    const must = selecting({ level: 'MUST' })
    expect(judged('oci.a', { level: 'SHOULD' }, must)).toMatchObject({ reason: 'left out by --level' })
    expect(judged('oci.a', { level: 'SHOULD' }, selecting({ level: 'SHOULD' }))).toBeUndefined()
    expect(judged('oci.a', { level: 'MAY' }, selecting({ level: 'SHOULD' }))).toMatchObject({
      cause: 'left-out',
    })
    const rising = { level: 'SHOULD', levels: { dev: 'MUST' } } as const
    expect(judged('oci.a', rising, must)).toMatchObject({ cause: 'left-out' })
    expect(judged('oci.a', rising, selecting({ level: 'MUST', spec: 'dev' }))).toBeUndefined()
  })

  test('every id lies in exactly one shard, and in the same one each time', () => {
    const ids = Array.from({ length: 200 }, (_, i) => `oci.rule-${i}`)
    const shards = [1, 2, 3].map((index) =>
      ids.filter((id) => !judged(id, {}, selecting({ shard: { index, count: 3 } }))),
    )
    expect(shards.flat().sort()).toEqual([...ids].sort())
    for (const shard of shards) expect(shard.length).toBeGreaterThan(40)
    expect(judged('oci.rule-1', {}, selecting({ shard: { index: 1, count: 3 } }))).toEqual({
      cause: 'left-out',
      reason: 'left to another shard',
    })
    expect(shards[0]?.slice(0, 3)).toEqual(['oci.rule-0', 'oci.rule-3', 'oci.rule-6'])
  })
})

describe('what the target does not offer', () => {
  test.each([
    ['oci.a', 'registry'],
    ['auth.token.a', 'registry'],
    ['storage.a', 'storage'],
    ['storage.gateway.a', 'gateway'],
    ['graphql.a', 'graphql'],
  ])('%s needs a %s', (id, target) => {
    expect(judged(id, {}, { targets: {} })).toEqual({
      cause: 'not-configured',
      reason: `no ${target} is named`,
    })
  })

  test('a rule on the whole deployment says itself what it needs', () => {
    expect(judged('service.a', { on: 'stack' }, { targets: {} })).toBeUndefined()
  })

  test('the first need that is not met is told, with its cause', () => {
    const capabilities = {
      push: { offered: true, reason: 'yes' },
      mount: { offered: false, cause: 'capability-absent', reason: 'a mount answered 202' },
      reader: { offered: false, cause: 'not-configured', reason: 'needs a reader' },
    } as const
    const needs = (...list: RequirementMeta['needs']) => judged('oci.a', { needs: list }, { capabilities })
    expect(needs('push')).toBeUndefined()
    expect(needs('push', 'mount', 'reader')).toEqual({
      cause: 'capability-absent',
      reason: 'a mount answered 202',
    })
    expect(needs('reader')).toEqual({ cause: 'not-configured', reason: 'needs a reader' })
    expect(needs('range')).toEqual({
      cause: 'capability-absent',
      reason: 'the target does not offer ranges of blobs',
    })
  })
})
