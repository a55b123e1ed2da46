import { randomUUID } from 'node:crypto'
import { BroadcastChannel } from 'node:worker_threads'
import type { RunContext } from './run-context.ts'

type Call = { readonly kind: 'call' }
type Reply =
  | { readonly kind: 'found'; readonly context: RunContext }
  | { readonly kind: 'failed'; readonly reason: string }

/** Looks at the targets when a worker asks what is known of them. */
export interface ContextOffer {
  readonly channel: string
  /** What was found; rejects as `look` did. Pending as long as nobody asks. */
  readonly found: Promise<RunContext>
  end(): void
}

/**
 * Answers the workers of a run. They ask when their suites are loaded, so that the first request goes out when the
 * second one can follow it at once.
 */
export function offerContext(look: () => Promise<RunContext>): ContextOffer {
  const name = `assay-run-${randomUUID()}`
  const channel = new BroadcastChannel(name)
  const { promise: found, resolve } = deferred<RunContext>()
  found.catch(() => {})
  let looking: Promise<RunContext> | undefined
  const reply = (message: Reply) => channel.postMessage(message)
  channel.onmessage = ({ data }: { data: Call | Reply }) => {
    if (data.kind !== 'call') return
    looking ??= look()
    resolve(looking)
    looking.then(
      (context) => reply({ kind: 'found', context }),
      (error: unknown) => reply({ kind: 'failed', reason: (error as Error).message }),
    )
  }
  return { channel: name, found, end: () => channel.close() }
}

/** Asks for what is known of the targets of the run. Rejects when they cannot be looked at. */
export function callForContext(name: string): Promise<RunContext> {
  const channel = new BroadcastChannel(name)
  const call: Call = { kind: 'call' }
  return new Promise((resolve, reject) => {
    channel.onmessage = ({ data }: { data: Call | Reply }) => {
      if (data.kind === 'call') return
      channel.close()
      if (data.kind === 'found') resolve(data.context)
      else reject(new Error(data.reason))
    }
    channel.postMessage(call)
  })
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: Promise<T>) => void } {
  let resolve: (value: Promise<T>) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
