/** What the main thread and the import worker say to each other. */
import type { Attributes } from '../dag/unixfs.ts'
import type { ImportedFile } from './file.ts'

export interface Order {
  /** Which upload is meant. */
  readonly id: number
  readonly what:
    | { readonly kind: 'begin'; readonly plan: ImportPlan }
    /** The buffers are the worker's from then on. */
    | { readonly kind: 'data'; readonly chunks: readonly Uint8Array[] }
    | { readonly kind: 'end' }
    | { readonly kind: 'drop' }
}

export interface ImportPlan {
  readonly version: 0 | 1
  /** Code of the hash function. */
  readonly hash: number
  readonly inlineLimit: number | undefined
  readonly rawLeaves: boolean
  readonly chunkSize: number
  readonly maxLinks: number
  readonly attributes: Attributes
  /** The segment to write, from its begin; undefined: nothing is stored. */
  readonly path: string | undefined
}

export interface Report {
  readonly id: number
  readonly what:
    | { readonly kind: 'taken'; readonly bytes: number }
    | ({ readonly kind: 'done' } & ImportResult)
    | { readonly kind: 'failed'; readonly message: string }
}

export interface ImportResult {
  readonly file: ImportedFile
  /** The blocks in the order in which they lie in the segment. */
  readonly keys: readonly string[]
  readonly lengths: readonly number[]
}
