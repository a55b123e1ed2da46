import type { Handler } from '../handler.ts'
import { unavailable } from './errors.ts'

/** Lets what is under way end, and nothing new begin. */
export interface Drain {
  around(handler: Handler): Handler
  /** Resolves when the last response has gone out. */
  finish(): Promise<void>
}

export function createDrain(): Drain {
  let underWay = 0
  let emptied: (() => void) | undefined
  const leave = () => {
    underWay -= 1
    if (underWay === 0) emptied?.()
  }
  let finished: Promise<void> | undefined
  return {
    around: (handler) => async (request, context) => {
      if (finished) return unavailable('the registry is stopping').toResponse()
      underWay += 1
      const { res } = context
      res?.once('close', leave)
      try {
        return await handler(request, context)
      } finally {
        if (!res) leave()
      }
    },
    finish() {
      finished ??= new Promise((resolve) => {
        emptied = resolve
        if (underWay === 0) resolve()
      })
      return finished
    },
  }
}
