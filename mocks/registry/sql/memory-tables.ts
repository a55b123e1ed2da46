import type { IMemoryDb } from 'pg-mem'
import type { Value } from '../database.ts'

export type Row = Readonly<Record<string, Value>>

/**
 * The tables of pg-mem by their indexes. Its SQL plans each statement anew, finds by one column only, and sorts all
 * that it found: 0.5 ms for a row, 100 ms for a page of 100,000 tags. The indexes themselves answer in microseconds.
 * Constraints, keys and defaults hold here as they do there.
 */
export interface MemoryTables {
  /** The row with these values; there is an index on exactly these columns. The row is not to be changed. */
  find<Found extends object = Row>(table: string, key: Row): Found | undefined
  all<Found extends object = Row>(table: string, key: Row): Found[]
  /** Rows that follow `key` in the order of the index on its columns, as long as `wanted` says so. */
  after<Found extends object = Row>(table: string, key: Row, wanted: (row: Found) => boolean): Found[]
  insert(table: string, row: Readonly<Record<string, unknown>>): void
  change(table: string, row: object, to: Row): void
  remove(table: string, row: object): void
}

/** What is used of pg-mem that it does not promise; the version is pinned, and `memoryTables` looks before it relies. */
interface Index {
  readonly cols: readonly { readonly value: { readonly id: string } }[]
  eq(key: readonly Value[], data: unknown, matchNull: boolean): Iterable<object>
  gt(key: readonly Value[], data: unknown): Iterable<object>
}

interface Table {
  readonly indexByHashAndName: ReadonlyMap<string, ReadonlyMap<string, { readonly index: Index }>>
  insert(row: object): object | null
  update(data: unknown, row: object): object
  delete(data: unknown, row: object): object
}

/** Undefined where this pg-mem is built differently; then SQL has to do. */
export function memoryTables(memory: IMemoryDb, names: readonly string[]): MemoryTables | undefined {
  const tables = new Map<string, { table: Table; indexes: Map<string, Index> }>()
  for (const name of names) {
    const table: unknown = memory.getTable(name)
    if (!isTable(table) || !('data' in memory)) return undefined
    const indexes = [...table.indexByHashAndName.values()].flatMap((byName) => [...byName.values()])
    tables.set(name, {
      table,
      indexes: new Map(indexes.map(({ index }) => [index.cols.map(({ value }) => value.id).join(), index])),
    })
  }
  const data = () => Reflect.get(memory, 'data')
  const of = (name: string) => {
    const found = tables.get(name)
    if (!found) throw new Error(`there is no table ${name}`)
    return found
  }
  const indexOf = (name: string, key: Row) => {
    const index = of(name).indexes.get(Object.keys(key).join())
    if (!index) throw new Error(`${name} has no index on ${Object.keys(key).join()}`)
    return index
  }
  const equal = (name: string, key: Row) => indexOf(name, key).eq(Object.values(key), data(), false)
  return {
    find<Found extends object>(name: string, key: Row) {
      for (const row of equal(name, key)) return row as Found
      return undefined
    },
    all: <Found extends object>(name: string, key: Row) => [...equal(name, key)] as Found[],
    after<Found extends object>(name: string, key: Row, wanted: (row: Found) => boolean) {
      const rows: Found[] = []
      for (const row of indexOf(name, key).gt(Object.values(key), data())) {
        if (!wanted(row as Found)) break
        rows.push(row as Found)
      }
      return rows
    },
    insert: (name, row) => void of(name).table.insert(row),
    change: (name, row, to) => void of(name).table.update(data(), { ...row, ...to }),
    remove: (name, row) => void of(name).table.delete(data(), row),
  }
}

function isTable(value: unknown): value is Table {
  return (
    typeof value === 'object' &&
    value !== null &&
    'indexByHashAndName' in value &&
    value.indexByHashAndName instanceof Map &&
    ['insert', 'update', 'delete'].every((name) => typeof Reflect.get(value, name) === 'function') &&
    [...value.indexByHashAndName.values()].every(
      (byName) => byName instanceof Map && [...byName.values()].every(({ index }) => isIndex(index)),
    )
  )
}

function isIndex(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'cols' in value &&
    Array.isArray(value.cols) &&
    value.cols.every((column) => typeof column?.value?.id === 'string') &&
    ['eq', 'gt'].every((name) => typeof Reflect.get(value, name) === 'function')
  )
}
