import { expect, test } from 'vitest'
import type { CheatTrial } from '../../harness/cheats.ts'
import type { Fault } from '../../harness/fault.ts'
import type { Proof } from '../../harness/prove.ts'
import { requirement } from '../../harness/requirement.ts'
import { InvalidReport } from '../schema-check.ts'
import { matrixHtml } from './html.ts'
import { matrixJson, readMatrix } from './json.ts'
import { digestOf, type Matrix, matrixOf } from './matrix.ts'

type Reaction = Proof['reactions'][number]

const source = { document: 'OCI', section: 'Pulling', url: 'https://example.org/spec#pulling' }
const declared = (id: string) =>
  requirement(id, { level: 'MUST', statement: `what ${id} asks`, source, needs: [] })
const requirements = ['oci.pull.a', 'oci.pull.b', 'oci.pull.c', 'oci.pull.d'].map(declared)

const fault = (id: string, breaks: readonly string[], more: Partial<Fault> = {}): Fault => ({
  id,
  what: `does ${id} wrong`,
  kind: 'corruption',
  breaks,
  seams: {},
  ...more,
})
const faults = [
  fault('oci.pull.flipped', ['oci.pull.a', 'oci.pull.b'], { client: 'checks the digest' }),
  fault('oci.pull.open', ['oci.pull.b'], { kind: 'security' }),
]

const reaction = (id: string, name: string, verdict: Reaction['verdict'], reason = 'seen 500'): Reaction => ({
  fault: id,
  requirement: name,
  verdict,
  reason,
})

const convicted: CheatTrial = {
  cheat: 'cheat.echo',
  judged: 230,
  convicting: 41,
  convictedBy: [
    { requirement: 'oci.pull.a', verdict: 'violated', reason: 'seen <b>404</b>' },
    { requirement: 'oci.pull.c', verdict: 'not-verified', reason: 'no push went through' },
  ],
}
const fooled: CheatTrial = { ...convicted, convicting: 0, convictedBy: [] }

function made(change: Partial<Proof> = {}, cheatTrial = convicted): Matrix {
  const reactions = [
    reaction('oci.pull.flipped', 'oci.pull.a', 'violated'),
    reaction('oci.pull.flipped', 'oci.pull.b', 'deviates'),
    reaction('oci.pull.open', 'oci.pull.b', 'violated'),
  ]
  return matrixOf({
    proof: {
      reactions,
      escaped: [],
      untried: [],
      unclean: [],
      falseAlarms: [],
      clashes: [],
      late: [],
      ...change,
    },
    requirements,
    faults,
    variations: [{ id: 'oci.variation.slow', what: 'is slow', seams: {} }],
    cheats: [{ id: 'cheat.echo', what: 'gives back what it got', seams: {} }],
    cheatTrials: [cheatTrial],
    unbreakable: [{ id: 'oci.pull.d', reason: 'it needs a public name' }],
    ...{ version: '1.2.3', startedAt: '2026-11-21T07:00:00.000Z', durationMs: 1000, seed: 1, whole: true },
  })
}

test('a fault is caught where every requirement that it names turned red', () => {
  const matrix = made()
  expect(matrix.summary).toMatchObject({
    sound: true,
    faults: { all: 2, caught: 2 },
    catching: 2,
    untried: 1,
  })
  expect(matrix.summary.byKind).toMatchObject({
    corruption: { all: 1 },
    security: { all: 1 },
    cosmetic: { all: 0 },
  })
  expect(matrix.faults[0]).toMatchObject({
    caught: true,
    client: 'checks the digest',
    by: [{ requirement: 'oci.pull.a' }, {}],
  })

  const missed = reaction('oci.pull.flipped', 'oci.pull.b', 'holds', 'as required')
  const escaped = made({ escaped: [missed] })
  expect(escaped.summary).toMatchObject({ sound: false, faults: { all: 2, caught: 1 } })
  expect(escaped.faults.map(({ caught }) => caught)).toEqual([false, true])
})

test('an alarm under a variation, also one of several, keeps the proof from being sound', () => {
  const alarm = {
    variation: 'oci.variation.other + oci.variation.slow',
    requirement: 'oci.pull.a',
    reason: 'seen 302',
  }
  const { summary, variations } = made({ falseAlarms: [alarm] })
  expect(summary).toMatchObject({ sound: false, falseAlarms: 1 })
  expect(variations).toMatchObject([{ alarms: [{ requirement: 'oci.pull.a', reason: 'seen 302' }] }])
})

test('a cheat that would be called conformant keeps the proof from being sound', () => {
  expect(made()).toMatchObject({
    summary: { sound: true, cheats: { all: 1, fooled: 0 } },
    cheats: [{ id: 'cheat.echo', what: 'gives back what it got', judged: 230, convicting: 41 }],
  })
  expect(made({}, fooled).summary).toMatchObject({ sound: false, cheats: { all: 1, fooled: 1 } })
})

test('the document is what its schema describes', () => {
  const matrix = made()
  expect(readMatrix(JSON.parse(matrixJson(matrix)))).toEqual(matrix)
  expect(() => matrixJson({ ...matrix, seed: 'x' } as unknown as Matrix)).toThrow(InvalidReport)
})

test('the digest of the faults follows what each names, and not their order', () => {
  const digest = digestOf(faults)
  expect(digestOf(faults.toReversed())).toBe(digest)
  expect(digestOf([...faults, fault('x', [])])).not.toBe(digest)
  expect(digestOf([fault('oci.pull.flipped', ['oci.pull.a']), ...faults.slice(1)])).not.toBe(digest)
})

test('the page leads from a requirement to its faults and back, and says why none can try it', () => {
  const page = matrixHtml(made())
  expect(page).toContain(
    '2 of 2 known faults caught; 0 false alarms under 1 harmless variation; 1 cheat, none called conformant; 1 requirement without a fault.',
  )
  expect(page).toContain(
    'id="oci.pull.b" data-state="caught" data-level="MUST" data-kind="corruption security"',
  )
  expect(page).toContain('<a href="#fault:oci.pull.open">')
  expect(page).toContain('id="fault:oci.pull.open" data-state="caught"')
  expect(page).toContain('No fault can try it: it needs a public name.')
  expect(page).toContain('data-state="untried"')
})

test('the page says what convicts a cheat, and begins with one that nothing convicts', () => {
  const page = matrixHtml(made())
  expect(page).toContain('<a href="#cheats">Cheats <span class="count">1</span></a>')
  expect(page).toMatch(/id="cheat:cheat\.echo" data-state="caught".*<small>convicted by 41 of 230<\/small>/)
  expect(page).toMatch(
    /violated<\/b>.*href="#oci\.pull\.a".*seen &#60;b&#62;404.*not verified<\/b>.*href="#oci\.pull\.c"/,
  )
  expect(page).not.toContain('id="fooled"')

  const alarm = { requirement: 'oci.pull.a', verdict: 'violated', reason: 'seen 500' } as const
  const wrong = matrixHtml(made({ unclean: [alarm] }, fooled))
  expect(wrong).toContain('<h1>The suites can be fooled</h1>')
  expect(wrong).toContain('1 cheat, 1 called conformant')
  expect(wrong).toMatch(/id="fooled".*href="#cheat:cheat\.echo"[\s\S]*id="alarms"[\s\S]*id="requirements"/)
  expect(wrong).toContain('id="cheat:cheat.echo" data-state="escaped"')
})

test('nothing that a faulty target said is taken for markup, and nothing is loaded', () => {
  const nasty = reaction('oci.pull.open', 'oci.pull.b', 'violated', '<script>alert(1)</script>')
  const page = matrixHtml(made({ reactions: [nasty] }))
  expect(page).not.toContain('<script>alert')
  expect(page).not.toMatch(/(?:src|href)="(?!#|data:|https:\/\/example\.org)/)
})
