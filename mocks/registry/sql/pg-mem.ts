import { newDb } from 'pg-mem'
import { type Expr, parseFirst, type Statement } from 'pgsql-ast-parser'
import type { Database, Queryable, Value } from '../database.ts'
import { memoryTables } from './memory-tables.ts'
import { schema, tables as tableNames } from './schema.ts'

/**
 * pg-mem behind the interface of a database. Its own adapters are not used: they put values into the text of a
 * statement and parse it each time, and their `ROLLBACK` does nothing. Here a statement is parsed once and values are
 * put into its tree; a transaction holds the only lock, and is undone by restoring the state before it.
 */
export function createPgMem(): Database {
  const memory = newDb({ noAstCoverageCheck: true })
  const statements = new Map<string, Statement>()
  const lock = createLock()
  for (const statement of schema) memory.public.none(statement)

  function run<Row extends object>(text: string, values: readonly Value[]): Row[] {
    const parsed = statements.get(text) ?? parseFirst(text)
    statements.set(text, parsed)
    return memory.public.many(bind(parsed, values))
  }
  const tables = memoryTables(memory, tableNames)
  const undoing = <Result>(work: () => Result): Result => {
    const before = memory.backup()
    try {
      return work()
    } catch (error) {
      before.restore()
      throw error
    }
  }
  const inside: Queryable = { query: async (text, values = []) => run(text, values) }

  return {
    dialect: 'pg-mem',
    query: (text, values = []) => lock(async () => run(text, values)),
    transaction: (work) =>
      lock(async () => {
        const before = memory.backup()
        try {
          return await work(inside)
        } catch (error) {
          before.restore()
          throw error
        }
      }),
    ...(tables && { within: (work) => lock(async () => undoing(() => work(tables))) }),
    snapshot: () =>
      lock(async () => {
        const then = memory.backup()
        return () => lock(async () => then.restore())
      }),
    isConflict: () => false,
    close: async () => undefined,
  }
}

/** Runs one task at a time, in the order of the calls. */
function createLock(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const turn = last.then(task, task)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** A copy of the tree with values for its parameters. A copy, because pg-mem remembers what it planned for a node. */
function bind<Node>(node: Node, values: readonly Value[]): Node
function bind(node: unknown, values: readonly Value[]): unknown {
  if (Array.isArray(node)) return node.map((item) => bind(item, values))
  if (typeof node !== 'object' || node === null) return node
  if ('type' in node && node.type === 'parameter' && 'name' in node) {
    return literal(values[Number(String(node.name).slice(1)) - 1] ?? null)
  }
  return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, bind(child, values)]))
}

function literal(value: Value): Expr {
  if (value === null) return { type: 'null' }
  if (typeof value === 'boolean') return { type: 'boolean', value }
  if (typeof value === 'number') return { type: 'integer', value }
  return { type: 'string', value }
}
