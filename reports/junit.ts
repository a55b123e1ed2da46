import type { Report, RequirementResult } from '../harness/report.ts'
import { requestText, responseText } from './exchange-text.ts'
import { decisive, isKnown, remark } from './findings.ts'
import { verdictReason, verdictSentence } from './verdict-sentence.ts'
import { clipped } from './words.ts'
import { type Attributes, element } from './xml.ts'

export interface JunitOptions {
  /** A deviation fails its test case. */
  readonly strict?: boolean
}

/** GitLab gives up on long output, and other viewers show all of it. */
const outputLimit = 8 * 1024

type Outcome = 'failure' | 'error' | 'skipped' | 'passed'

interface Case {
  readonly outcome: Outcome
  readonly xml: string
  readonly seconds: number
}

/** The report as JUnit XML, in the shape that Jenkins' schema describes: a suite for each interface, a case for each id. */
export function junit(report: Report, { strict = false }: JunitOptions = {}): string {
  const interfaces = [...new Set(report.requirements.map((result) => result.interface))]
  const suites = interfaces.map((name) => {
    const results = report.requirements.filter((result) => result.interface === name)
    return { name: `assay.${name}`, cases: results.map((result) => testCase(result, report, strict)) }
  })
  const all = [...suites, { name: 'assay', cases: [verdictCase(report)] }]
  const cases = all.flatMap((suite) => suite.cases)
  const { tests, failures, errors } = tally(cases)
  const root = { name: 'assay', tests, failures, errors, time: seconds(report.durationMs / 1000) }
  const body = all.map((suite, index) => testSuite(suite.name, suite.cases, report, index))
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', root, body)}\n`
}

function testSuite(name: string, cases: readonly Case[], report: Report, id: number): string {
  const time = seconds(cases.reduce((sum, each) => sum + each.seconds, 0))
  const attributes = { name, ...tally(cases), time, timestamp: report.startedAt, id: String(id) }
  return element('testsuite', attributes, [properties(report), ...cases.map(({ xml }) => xml)])
}

function tally(cases: readonly Case[]) {
  const of = (outcome: Outcome) => String(cases.filter((each) => each.outcome === outcome).length)
  return {
    tests: String(cases.length),
    failures: of('failure'),
    errors: of('error'),
    skipped: of('skipped'),
  }
}

function properties({ seed, spec, profile, tool, targets, command }: Report): string {
  const values: [string, string][] = [
    ['assay.version', tool.version],
    ['seed', String(seed)],
    ['spec', spec],
    ['profile', profile],
    ['command', command],
    ...Object.entries(targets).map(([name, { url }]): [string, string] => [`target.${name}`, url]),
  ]
  return element(
    'properties',
    {},
    values.map(([name, value]) => element('property', { name, value })),
  )
}

function testCase(result: RequirementResult, report: Report, strict: boolean): Case {
  const { id, durationMs } = result
  const classname = ['assay', result.interface, ...id.split('.').slice(0, 2)].join('.')
  const attributes = { classname, name: id, time: seconds(durationMs / 1000) }
  const { outcome, children } = judged(result, report, strict)
  return { outcome, seconds: durationMs / 1000, xml: element('testcase', attributes, children) }
}

function judged(
  result: RequirementResult,
  report: Report,
  strict: boolean,
): { outcome: Outcome; children: string[] } {
  const { verdict, level, baseline, reason } = result
  if (baseline && isKnown(result, report.startedAt)) {
    const message = `known: ${baseline.reason}, until ${baseline.expires}`
    return { outcome: 'skipped', children: [element('skipped', { message }), output(evidence(result))] }
  }
  if (verdict === 'not-verified') {
    return { outcome: 'skipped', children: [element('skipped', { message: reason || 'not verified' })] }
  }
  if (verdict === 'error') {
    return {
      outcome: 'error',
      children: [told('error', { message: reason || 'Assay failed', type: 'error' }, result)],
    }
  }
  if (verdict === 'violated' || (verdict === 'deviates' && strict)) {
    return {
      outcome: 'failure',
      children: [told('failure', { message: result.statement, type: `${verdict} ${level}` }, result)],
    }
  }
  if (verdict === 'deviates')
    return { outcome: 'passed', children: [output(`deviates (${level})\n${evidence(result)}`)] }
  const mended = baseline
    ? [output(`The baseline names it (${baseline.reason}), but it holds: remove the entry.`)]
    : []
  return { outcome: 'passed', children: mended }
}

function verdictCase(report: Report): Case {
  const attributes = { classname: 'assay', name: 'assay.verdict', time: seconds(0) }
  if (report.summary.verdict === 'conformant') {
    return { outcome: 'passed', seconds: 0, xml: element('testcase', attributes, []) }
  }
  const text = [...report.summary.reasons, `Repeat with: ${report.command}`].join('\n')
  const failure = element(
    'failure',
    { message: verdictSentence(report), type: report.summary.verdict },
    [],
    text || verdictReason(report),
  )
  return { outcome: 'failure', seconds: 0, xml: element('testcase', attributes, [failure]) }
}

const told = (name: 'failure' | 'error', attributes: Attributes, result: RequirementResult) =>
  element(name, attributes, [], clipped(evidence(result), outputLimit))

const output = (text: string) => element('system-out', {}, [], clipped(text, outputLimit))

function evidence(result: RequirementResult): string {
  const { statement, expected, seen, source, reproduce } = result
  const exchange = decisive(result)
  return [
    statement,
    expected !== undefined && `expected: ${expected}`,
    seen !== undefined && `seen:     ${seen}`,
    remark(result),
    source.url,
    exchange && `\n${clipped(requestText(exchange), 2048)}\n\n${clipped(responseText(exchange), 2048)}`,
    reproduce && `\n${reproduce}`,
  ]
    .filter(Boolean)
    .join('\n')
}

/** Seconds without an exponent, which schemas of JUnit do not allow. */
const seconds = (value: number) => value.toFixed(3)
