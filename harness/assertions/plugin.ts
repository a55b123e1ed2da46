import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FoundAssertion, findAssertions, type Node } from './find.ts'

/** An assertion of the suites. */
export interface Assertion {
  /** `suites/oci/pull/blob.suite.ts:41:7`, in the source. */
  readonly place: string
  readonly file: string
  readonly line: number
  /** Where it is by name: the id of the requirement whose test it is in, or the file and the outermost function. */
  readonly within: string
  /** Its text; with `#2` behind it where the same text stands in the same place before. */
  readonly text: string
}

/** Compiled code in which each assertion can be left out, and what the assertions are. */
export interface Switched {
  readonly code: string
  readonly assertions: readonly Assertion[]
}

type Parse = (code: string) => Node

const own = fileURLToPath(import.meta.url)
const switches = join(dirname(own), `switch${extname(own)}`)
const suite = /\/suites\/.*(?<!\.(?:faults|test))\.[jt]s$/

/** A plugin of Vite for the suites; `onAssertions` is told what it finds in each module. */
export function assertionSwitches(parse: Parse, onAssertions: (found: readonly Assertion[]) => void) {
  return {
    name: 'assertion-switches',
    transform(code: string, id: string) {
      if (!suite.test(id)) return undefined
      const switched = switchAssertions(code, id, parse)
      onAssertions(switched.assertions)
      return { code: switched.code, map: null }
    },
  }
}

/** Puts a switch before each assertion of a module. Where a source map lies beside the file, places are those of the source. */
export function switchAssertions(code: string, file: string, parse: Parse): Switched {
  const found = findAssertions(parse(code))
  const locate = locator(code, file)
  const seen = new Map<string, number>()
  const assertions = found.map(({ start, end, within }): Assertion => {
    const at = locate(start)
    const place = `${at.file}:${at.line}:${at.column}`
    const text = code.slice(start, end).replace(/\s+/g, ' ').replace(/;$/, '')
    const named = within.includes('.') ? within : `${at.file} ${within}`.trim()
    const nth = (seen.get(named + text) ?? 0) + 1
    seen.set(named + text, nth)
    return {
      ...{ place, file: at.file, line: at.line, within: named },
      text: nth > 1 ? `${text} #${nth}` : text,
    }
  })
  const edits = found.flatMap((assertion, i) => editsOf(assertion, assertions[i]?.place ?? ''))
  const imported = `import { asserting as __asserting, omitted as __omitted, passed as __passed } from ${JSON.stringify(switches)};`
  return { code: edits.length > 0 ? imported + edited(code, edits) : code, assertions }
}

interface Edit {
  readonly at: number
  readonly text: string
}

/** The arguments of a call that is left out are evaluated all the same: a request that is sent there is a step. */
function editsOf({ kind, start, calleeEnd, end }: FoundAssertion, place: string): readonly Edit[] {
  const name = JSON.stringify(place)
  const around = (from: number, before: string, to: number, after: string) => [
    { at: from, text: before },
    { at: to, text: after },
  ]
  return {
    call: around(start, `__asserting(${name}, `, calleeEnd, ')'),
    chain: around(start, `(__omitted(${name}) ? undefined : __passed(${name}, `, end, '))'),
    throw: around(start, `{ if (!__omitted(${name})) `, end, ' }'),
  }[kind]
}

function edited(code: string, edits: readonly Edit[]): string {
  let result = ''
  let from = 0
  for (const { at, text } of [...edits].sort((a, b) => a.at - b.at)) {
    result += code.slice(from, at) + text
    from = at
  }
  return result + code.slice(from)
}

/** Tells the file, the line and the column of an offset, counted from 1. */
function locator(code: string, file: string) {
  const short = (path: string) => path.replace(/^.*\/(?=suites\/)/, '')
  const map = existsSync(`${file}.map`) ? readMap(`${file}.map`) : undefined
  return (offset: number) => {
    const before = code.slice(0, offset).split('\n')
    const line = before.length
    const column = (before.at(-1) ?? '').length + 1
    const origin = map?.findOrigin(line, column)
    return origin && 'fileName' in origin
      ? {
          file: short(file).replace(basename(file), basename(origin.fileName)),
          line: origin.lineNumber,
          column: origin.columnNumber,
        }
      : { file: short(file), line, column }
  }
}

const readMap = (path: string) => new SourceMap(JSON.parse(readFileSync(path, 'utf8')))
