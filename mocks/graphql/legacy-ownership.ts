import type { Context } from './context.ts'
import { notFound } from './errors.ts'
import type { Table } from './table.ts'

/** The row with this id where the viewer owns it; another's is as unknown as one that is not there. */
export function own<Row extends { readonly id: string; readonly user: string }>(
  table: Table<Row>,
  what: string,
  id: string,
  { viewer }: Context,
): Row {
  const row = table.get(id)
  if (row?.user !== viewer()) throw notFound(`${what} not found`)
  return row
}

/** The rows of the viewer, newest first. */
export const newestFirst = <Row extends { readonly id: string }>(table: Table<Row>, { viewer }: Context) =>
  table.of(viewer()).reverse()
