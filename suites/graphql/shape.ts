import { expectThat } from '../../harness/finding.ts'
import { hasMembers, isObject, shown } from './answers.ts'

/** What stands where something was selected: a leaf, a list, or an object with exactly these members. */
export type Shape = 'leaf' | readonly [Shape] | { readonly [member: string]: Shape }

/** The value has the shape, and holds nothing beside it. */
export function expectShape(value: unknown, shape: Shape): void {
  const found = difference(value, shape, 'data')
  expectThat(!found, found?.expected ?? '', found?.seen ?? '')
}

interface Difference {
  readonly expected: string
  readonly seen: string
}

function difference(value: unknown, shape: Shape, at: string): Difference | undefined {
  if (shape === 'leaf') return undefined
  const differing = (expected: string) => ({ expected: `${expected} at ${at}`, seen: shown(value) })
  if (isList(shape)) {
    if (!Array.isArray(value)) return differing('a list')
    return firstOf(value.map((entry, i) => () => difference(entry, shape[0], `${at}[${i}]`)))
  }
  const members = Object.keys(shape)
  if (!isObject(value) || !hasMembers(value, members)) {
    return differing(`exactly the members ${members.join(', ')}`)
  }
  return firstOf(
    Object.entries(shape).map(
      ([name, inner]) =>
        () =>
          difference(value[name], inner, `${at}.${name}`),
    ),
  )
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape)

function firstOf(looks: readonly (() => Difference | undefined)[]): Difference | undefined {
  for (const look of looks) {
    const found = look()
    if (found) return found
  }
  return undefined
}
