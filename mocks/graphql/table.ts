/** Rows of one kind by id, and by the one thing that owns them (a user, a project, a service), in the order of arrival. */
export class Table<Row extends { readonly id: string }> {
  readonly #ownerOf: (row: Row) => string
  readonly #rows = new Map<string, Row>()
  readonly #owned = new Map<string, Set<string>>()

  constructor(ownerOf: (row: Row) => string) {
    this.#ownerOf = ownerOf
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id)
  }

  /** Inserts the row, or takes the place of the one with its id. */
  put(row: Row): Row {
    this.#rows.set(row.id, row)
    const owner = this.#ownerOf(row)
    const ids = this.#owned.get(owner) ?? new Set()
    this.#owned.set(owner, ids.add(row.id))
    return row
  }

  delete(id: string): void {
    const row = this.#rows.get(id)
    if (!row) return
    this.#rows.delete(id)
    const owner = this.#ownerOf(row)
    const ids = this.#owned.get(owner)
    ids?.delete(id)
    if (ids?.size === 0) this.#owned.delete(owner)
  }

  /** The rows of one owner, oldest first. */
  of(owner: string): Row[] {
    return [...(this.#owned.get(owner) ?? [])].flatMap((id) => this.#rows.get(id) ?? [])
  }

  /** A table of its own with the same rows; rows are never changed in place. */
  copy(): Table<Row> {
    const table = new Table<Row>(this.#ownerOf)
    for (const row of this.#rows.values()) table.put(row)
    return table
  }
}
