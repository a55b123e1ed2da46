import { randomUUID } from 'node:crypto'
import { BroadcastChannel } from 'node:worker_threads'
import type { Targets } from './target.ts'

/** Targets that behave in one way, until they are closed. */
export interface Stage {
  readonly targets: Targets
  close(): Promise<void>
}

export type OpenTrial = (trial: string) => Promise<Stage>

/** What a worker asks for, and what it is told. */
export type StageRequest =
  | { readonly kind: 'open'; readonly trial: string }
  | { readonly kind: 'close'; readonly trial: string }
export type StageAnswer =
  | { readonly kind: 'opened'; readonly trial: string; readonly targets: Targets }
  | { readonly kind: 'failed'; readonly trial: string; readonly reason: string }

export interface TrialStages {
  readonly channel: string
  /** Closes what is still open. */
  end(): Promise<void>
}

/** Opens the targets of a trial when a worker comes to it, and closes them when the worker is through. */
export function offerStages(open: OpenTrial): TrialStages {
  const name = `assay-trials-${randomUUID()}`
  const channel = new BroadcastChannel(name)
  const opened = new Map<string, Promise<Stage>>()

  const tell = (answer: StageAnswer) => channel.postMessage(answer)
  const begin = (trial: string) => {
    const stage = open(trial)
    opened.set(trial, stage)
    stage.then(
      ({ targets }) => tell({ kind: 'opened', trial, targets }),
      (error: unknown) => tell({ kind: 'failed', trial, reason: (error as Error).message }),
    )
  }
  const finish = async (trial: string) => {
    const stage = opened.get(trial)
    opened.delete(trial)
    await stage?.then(
      ({ close }) => close(),
      () => undefined,
    )
  }

  channel.onmessage = ({ data }: { data: StageRequest }) => {
    if (data.kind === 'open') begin(data.trial)
    else void finish(data.trial)
  }
  return {
    channel: name,
    async end() {
      channel.close()
      await Promise.all([...opened.keys()].map(finish))
    },
  }
}
