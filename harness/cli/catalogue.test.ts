import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { unobservable } from '../../suites/unobservable.ts'
import type { Interface, Level } from '../requirement.ts'
import { assay } from './command.test-support.ts'

const suites = new URL('../../suites/', import.meta.url)

interface Row {
  readonly id: string
  readonly level: Level
  readonly interface: Interface
  readonly statement: string
  readonly source: { readonly section: string; readonly url: string }
}

/** What is to be verified: level and interface by id. An id never changes its meaning and is never used again. */
const catalogue = JSON.parse(readFileSync(new URL('catalogue.json', suites), 'utf8')) as Readonly<
  Record<string, readonly [Level, Interface]>
>

let rows: readonly Row[]
beforeAll(async () => {
  rows = JSON.parse((await assay(['list', '--json'])).stdout)
})

describe('the catalogue', () => {
  test('every requirement is tested, or listed with the reason why it cannot be seen from outside', () => {
    const covered = new Set([...rows, ...unobservable].map(({ id }) => id))
    expect(Object.keys(catalogue).filter((id) => !covered.has(id))).toEqual([])
  })

  test('nothing is both tested and listed, and nothing is tested twice', () => {
    const ids = [...rows, ...unobservable].map(({ id }) => id)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  })

  test('levels and interfaces are those of the catalogue', () => {
    const differing = rows.flatMap(({ id, level, interface: on }) => {
      const expected = catalogue[id]
      return expected && expected.join() !== [level, on].join()
        ? [`${id}: ${expected} but ${level},${on}`]
        : []
    })
    expect(differing).toEqual([])
  })

  test('an id tells its file', () => {
    const lost = rows.filter(({ id }) => !files(id).some((file) => existsSync(new URL(file, suites))))
    expect(lost.map(({ id }) => id)).toEqual([])
  })

  test('every requirement says what it asks, in a sentence, and where that stands', () => {
    const vague = rows.filter(
      ({ statement, source }) =>
        statement.length < 15 || !source.section || !/^(https:|docs\/)/.test(source.url),
    )
    expect(vague.map(({ id }) => id)).toEqual([])
  })
})

/** The places where a requirement may be: the folder or the file of each beginning of its id. */
function files(id: string): readonly string[] {
  const parts = id.split('.')
  return parts.flatMap((_, i) => {
    const path = parts.slice(0, i + 1).join('/')
    return [`./${path}.suite.ts`, ...(i > 0 ? [`./${path}/`] : [])]
  })
}
