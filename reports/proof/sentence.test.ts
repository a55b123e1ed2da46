import { expect, test } from 'vitest'
import { html } from '../html.ts'
import { json } from '../json.ts'
import { markdown } from '../markdown.ts'
import { everyVerdict, report } from '../sample.test-data.ts'
import { terminal } from '../terminal.ts'
import { proofSentence } from './sentence.ts'

const proof = {
  provedAt: '2026-11-21T07:31:00.000Z',
  faults: { all: 1359, caught: 1359 },
  variations: 50,
  falseAlarms: 0,
}
const sentence = 'these suites catch 1,359 of 1,359 known faults and let 50 harmless variations pass'

test('false alarms are told, and a count of one', () => {
  expect(proofSentence(proof)).toBe(sentence)
  const shaky = { ...proof, faults: { all: 1, caught: 0 }, variations: 2, falseAlarms: 1 }
  expect(proofSentence(shaky)).toBe(
    'these suites catch 0 of 1 known fault and raise 1 false alarm under 2 harmless variations',
  )
})

test('every form of a report says how far its suites can be trusted, and the page links to the matrix beside it', () => {
  const proven = { ...report(everyVerdict), proof }
  expect(terminal(proven, { colour: false, width: 100 })).toContain(sentence)
  expect(markdown(proven)).toContain(sentence)
  expect(JSON.parse(json(proven)).proof).toEqual(proof)
  expect(html(proven)).toContain('These suites catch 1,359 of 1,359 known faults')
  expect(html(proven)).not.toContain('matrix.html')
  expect(html(proven, { matrix: 'matrix.html' })).toContain('<a href="matrix.html">')
  expect(html(report(everyVerdict))).not.toContain('known faults')
})
