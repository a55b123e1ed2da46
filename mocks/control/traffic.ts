import type { ServerResponse } from 'node:http'
import type { Handler, ServerContext } from '../handler.ts'

/** Knows the requests that are under way, so that a reset can cut them and a graceful end can wait for them. */
export interface Traffic {
  /** Stands at the door of a port: holds requests back while the door is closed, and knows whose answer is not out yet. */
  door(handler: Handler): Handler
  /** Stands in front of the real thing: knows what works on, also after its client was cut off. */
  work(handler: Handler): Handler
  /** Stands in front of a service that another one calls in the process: the call ends with a cut, as a connection would. */
  call(handler: Handler): Handler
  /** Cuts every connection that has a request under way, and waits until nothing works on. Resolves to how many. */
  cut(): Promise<number>
  /** Closes the door, cuts, runs `task` and opens the door again. Resolves to how many were cut. */
  exclusively(task: () => Promise<void>): Promise<number>
}

/** Work that outlives its cut connection for longer than this hangs for good, and is not waited for. */
const patienceMs = 2000

/** A number that one can wait for to become zero. */
function tally() {
  let open = 0
  let waiting: (() => void)[] = []
  return {
    add() {
      open += 1
    },
    remove() {
      open -= 1
      if (open > 0) return
      for (const wake of waiting) wake()
      waiting = []
    },
    zero(limitMs: number): Promise<void> {
      if (open === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, limitMs)
        waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
  }
}

export function createTraffic(): Traffic {
  const answers = new Set<ServerResponse>()
  const calls = new Set<() => void>()
  const atWork = tally()
  let closed: Promise<void> | undefined
  let turn = Promise.resolve()

  function watch({ res }: ServerContext): void {
    if (!res || answers.has(res)) return
    answers.add(res)
    res.once('close', () => void answers.delete(res))
  }

  async function cut(): Promise<number> {
    const count = answers.size
    for (const res of answers) res.destroy()
    for (const end of calls) end()
    await atWork.zero(patienceMs)
    return count
  }

  return {
    door: (handler) => async (request, context) => {
      while (closed) await closed
      // It was held back, and its client did not wait.
      if (context.res?.closed) return new Response(null, { status: 503 })
      watch(context)
      return handler(request, context)
    },
    work: (handler) => async (request, context) => {
      atWork.add()
      try {
        return await handler(request, context)
      } finally {
        atWork.remove()
      }
    },
    call: (handler) => (request, context) => {
      if (context.res) return handler(request, context)
      return new Promise((resolve, reject) => {
        const end = () => reject(new Error('the call was cut'))
        calls.add(end)
        Promise.resolve(handler(request, context))
          .finally(() => calls.delete(end))
          .then(resolve, reject)
      })
    },
    cut,
    exclusively(task) {
      const result = turn.then(async () => {
        let open = () => {}
        closed = new Promise((resolve) => {
          open = resolve
        })
        try {
          const count = await cut()
          await task()
          return count
        } finally {
          closed = undefined
          open()
        }
      })
      turn = result.then(
        () => {},
        () => {},
      )
      return result
    },
  }
}
