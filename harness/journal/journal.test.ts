import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { JournalHeader } from './event.ts'
import { createJournal, openJournal, readHeader, readJournal } from './journal.ts'
import type { Thing } from './thing.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-journal-'))
afterAll(() => rmSync(folder, { recursive: true }))

const header: JournalHeader = {
  journal: 1,
  tool: 'assay 0',
  startedAt: '2026-11-21T03:00:00.000Z',
  host: 'here',
  pid: 1,
  seed: 7,
  namespace: 'assay/seven',
  targets: { registry: 'http://r.example' },
}
const tag = (name: string): Thing => ({ kind: 'tag', repository: 'assay/seven/a', tag: name })

let made = 0
function journal() {
  made += 1
  const file = join(folder, `${made}.journal`)
  return { file, journal: createJournal(file, header) }
}

test('what was made, and what may have been made, is still there; what was refused or is gone is not', () => {
  const { file, journal: written } = journal()
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(tag) as [Thing, Thing, Thing, Thing]
  written.note({ making: [a, b, c, d] })
  written.note({ made: [a, d] })
  written.note({ refused: [b] })
  written.note({ gone: [d] })
  const { ledger } = readJournal(file)
  expect(ledger.things()).toEqual([a, c])
  expect(ledger.unanswered()).toEqual([c])
})

test('a refusal says nothing of what another request made, or may be making', () => {
  const { file, journal: written } = journal()
  written.note({ making: [tag('twice'), tag('once')] })
  written.note({ making: [tag('twice')] })
  written.note({ made: [tag('once')] })
  written.note({ making: [tag('once')] })
  written.note({ refused: [tag('once'), tag('twice')] })
  expect(readJournal(file).ledger.things()).toEqual([tag('twice'), tag('once')])
})

test('several writers append to one journal, which only its owner may read', () => {
  const { file, journal: written } = journal()
  const other = openJournal(file)
  other.note({ made: [tag('a')] })
  written.note({ made: [tag('b')] })
  other.note({ occupied: true })
  const { ledger } = readJournal(file)
  expect(ledger.things()).toEqual([tag('a'), tag('b')])
  expect(ledger.occupied).toBe(true)
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('a line that was cut off does not hide the others, nor what is noted after it', () => {
  const { file, journal: written } = journal()
  written.note({ made: [tag('a')] })
  appendFileSync(file, '{"making":[{"kind":"ta')
  expect(readJournal(file).ledger.things()).toEqual([tag('a')])
  openJournal(file).note({ made: [tag('b')] })
  expect(readJournal(file).ledger.things()).toEqual([tag('a'), tag('b')])
})

test('whose journal it is, is said without what it holds', () => {
  const { file } = journal()
  appendFileSync(file, `something else, ${'longer '.repeat(20_000)}\n`)
  expect(readHeader(file)).toEqual(header)
})

test('what is no journal is refused', () => {
  const { file } = journal()
  appendFileSync(file, 'something else}\n')
  expect(() => readJournal(file)).toThrow('line 2 is no entry')
  appendFileSync(join(folder, 'other'), '{"a":1}\n')
  expect(() => readJournal(join(folder, 'other'))).toThrow('not that of a journal')
  expect(() => readHeader(join(folder, 'other'))).toThrow('not that of a journal')
  expect(readFileSync(file, 'utf8')).toContain('something else')
})
