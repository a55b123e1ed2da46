/** Collects what has to be closed, and closes it once, last opened first, whatever else fails on the way. */
export interface Closers {
  add(close: () => Promise<void> | void): void
  /** Rejects with the first error, after all have been closed. */
  close(): Promise<void>
}

export function createClosers(): Closers {
  const closers: (() => Promise<void> | void)[] = []
  return {
    add: (close) => void closers.push(close),
    async close() {
      const errors: unknown[] = []
      for (let close = closers.pop(); close; close = closers.pop()) {
        try {
          await close()
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
  }
}
