import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import type { Fault } from '../fault.ts'
import type { Judged, Staging } from '../staging.ts'
import { explain } from './explanation.ts'
import { type Assertion, switchAssertions } from './plugin.ts'
import { proveAssertions } from './prove.ts'
import { type AssertionTrace, withoutAssertion } from './switch.ts'

/** A suite on a target that gives a status and a body; faults change them. */
const suite = `
export const tests = {}
const test = (id, body) => { tests[id] = body }
const expectThat = (holds) => { if (!holds) throw new Error('red') }
const later = (value) => new Promise((resolve) => setTimeout(resolve, 1, value))

async function expectText(target) {
  expectThat(typeof target.body === 'string')
  return later(target.body)
}

test('oci.toy.status', async (target) => {
  expectThat(await later(target.status) === 200)
  expectThat(target.status < 300)
})
test('oci.toy.step', async (target) => {
  expectThat(await later((target.stored = true) && !target.refused))
  expectThat(target.stored)
})
test('oci.toy.body', async (target) => {
  const text = await expectText(target)
  expectThat(text.length > 0)
  expectThat(text !== 'never')
})
`

type Target = Readonly<Record<string, unknown>>
const fault = (id: string, breaks: readonly string[], seams: Target): Fault => ({
  ...{ id, what: id, kind: 'cosmetic', breaks, seams },
})
const faults = [
  fault('status.404', ['oci.toy.status'], { status: 404 }),
  fault('status.201', ['oci.toy.status'], { status: 201 }),
  fault('body.none', ['oci.toy.body'], { body: undefined }),
  fault('step.refused', ['oci.toy.step'], { refused: true }),
  fault('body.empty', ['oci.toy.body'], { body: '' }),
]
const requirements = ['oci.toy.status', 'oci.toy.body']

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-toy-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Judges all tests of all stagings at once, so that each must keep to its own assertion. */
async function toy(source: string) {
  const file = join(folder, 'toy.ts')
  const { code, assertions } = switchAssertions(source, '/suites/toy.suite.js', parseAst)
  await writeFile(file, code)
  const { tests } = (await import(file)) as { tests: Record<string, (target: Target) => Promise<void>> }

  const judgeOne = async ({ omit, behaviours }: Staging, requirement: string): Promise<Judged> => {
    const seams = faults.filter(({ id }) => behaviours.includes(id)).map((each) => each.seams)
    const target: Target = Object.assign({ status: 200, body: 'text' }, ...seams)
    let trace: AssertionTrace = { reached: [], decisive: [] }
    const verdict = await withoutAssertion(
      omit,
      async () => tests[requirement]?.(target),
      (found) => {
        trace = found
      },
    ).then(
      () => 'holds' as const,
      (error: Error) => (error.message === 'red' ? ('violated' as const) : ('error' as const)),
    )
    return { requirement, verdict, reason: verdict, assertions: trace }
  }
  return async (stagings: readonly Staging[], onAssertions: (found: readonly Assertion[]) => void) => {
    onAssertions(assertions)
    const judged = stagings.map(
      async (staging) =>
        [staging.id, await Promise.all(staging.requirements.map((id) => judgeOne(staging, id)))] as const,
    )
    return new Map(await Promise.all(judged))
  }
}

test('an assertion is needed where a fault escapes without it', async () => {
  const proof = await proveAssertions({ requirements, faults, judge: await toy(suite) })
  expect(proof.escaped).toEqual([])
  expect(proof.needed.map(({ within, text, by }) => `${within}: ${text} by ${by.fault}`)).toEqual([
    "suites/toy.suite.js expectText: expectThat(typeof target.body === 'string') by body.none",
    'oci.toy.status: expectThat(await later(target.status) === 200) by status.201',
    'oci.toy.body: expectText(target) by body.none',
    'oci.toy.body: expectThat(text.length > 0) by body.empty',
  ])
})

test('a step in the arguments of an assertion is made without it too', async () => {
  const { needed } = await proveAssertions({
    requirements: ['oci.toy.step'],
    faults,
    judge: await toy(suite),
  })
  expect(needed.map(({ by }) => by.fault)).toEqual(['step.refused'])
})

test('a survivor tells who comes to it, and what fails in its place', async () => {
  const { survivors } = await proveAssertions({
    requirements,
    faults: faults.filter(({ id }) => id !== 'status.201'),
    judge: await toy(suite),
  })
  expect(survivors).toMatchObject([
    {
      text: 'expectThat(await later(target.status) === 200)',
      standsIn: [{ fault: 'status.404', without: ['suites/toy.suite.js:14:3'] }],
    },
    { text: 'expectThat(target.status < 300)', reachedBy: ['oci.toy.status'], standsIn: [] },
    { text: "expectThat(text !== 'never')", reachedBy: ['oci.toy.body'], standsIn: [] },
  ])
})

test('only what the chosen requirements come to is looked at', async () => {
  const { survivors } = await proveAssertions({
    requirements: ['oci.toy.body'],
    faults,
    judge: await toy(suite),
  })
  expect(survivors.map(({ text }) => text)).toEqual(["expectThat(text !== 'never')"])
})

test('an explanation excuses a survivor, and is itself wrong where a fault needs the assertion or nothing has it', async () => {
  const proof = await proveAssertions({ requirements, faults, judge: await toy(suite) })
  const reason = 'because'
  const explanations = [
    { within: 'oci.toy.status', text: 'expectThat(target.status < 300)', reason },
    { within: 'oci.toy.body', text: 'expectThat(text.length > 0)', reason },
    { within: 'oci.toy.body', text: 'expectThat(gone)', reason },
  ]
  const { unexplained, explained, needless, lost } = explain(proof, explanations)
  expect(unexplained.map(({ text }) => text)).toEqual(["expectThat(text !== 'never')"])
  expect(explained).toMatchObject([{ text: 'expectThat(target.status < 300)', reason }])
  expect(needless).toEqual([explanations[1]])
  expect(lost).toEqual([explanations[2]])
})
