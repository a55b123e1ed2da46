import type { Thing } from './thing.ts'

/** The first line of a journal: whose run it was. No secret is in it. */
export interface JournalHeader {
  readonly journal: 1
  readonly tool: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly host: string
  readonly pid: number
  readonly seed: number
  /** Everything that the run made in the registry lies under it. */
  readonly namespace: string
  /** Or under this, where nobody named a namespace. */
  readonly elsewhere?: string
  readonly targets: {
    readonly registry?: string
    readonly storage?: string
    readonly graphql?: string
  }
}

/**
 * A line of a journal after the first. `making` stands there before the request goes out, one of `made` and `refused`
 * when it was answered; `gone` when the thing is no more.
 */
export type JournalEvent =
  | { readonly making: readonly Thing[] }
  | { readonly made: readonly Thing[] }
  | { readonly refused: readonly Thing[] }
  | { readonly gone: readonly Thing[] }
  /** The namespace had content before the run wrote to it, so nothing there is known to be its own. */
  | { readonly occupied: true }
