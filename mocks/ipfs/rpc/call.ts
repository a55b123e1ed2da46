/** What a command is given and what it gives back; how that becomes HTTP is not its business. */
import type { CID } from '../dag/cid.ts'
import type { IpfsNode } from '../ipfs-node.ts'
import type { MultipartSource } from '../multipart.ts'

export type OptionKind = 'bool' | 'int' | 'int64' | 'uint' | 'string'

export interface Argument {
  readonly name: string
  readonly kind: 'text' | 'file'
  readonly required: boolean
  readonly variadic: boolean
}

export interface Options {
  flag(name: string, otherwise: boolean): boolean
  /** Whether the request names the option at all. */
  has(name: string): boolean
  number(name: string): number | undefined
  text(name: string): string | undefined
}

export interface Call {
  readonly node: IpfsNode
  readonly args: readonly string[]
  readonly options: Options
  /** The parts of a multipart body; none when the request has no such body. */
  readonly files: MultipartSource
  /** Writes a CID as the request wants it (`cid-base`). */
  format(cid: CID): string
}

/** One JSON value, a stream of them, bytes, or nothing at all. */
export type Reply =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'values'; readonly values: AsyncIterator<unknown> }
  | {
      readonly kind: 'bytes'
      readonly bytes: AsyncIterator<Uint8Array>
      readonly contentType?: string
      readonly length?: number
    }
  | { readonly kind: 'nothing' }

export interface Command {
  /** Below `/api/v0/`. */
  readonly path: string
  /** Answers GET too: the specification reads with it, although Kubo refuses. */
  readonly readable?: boolean
  readonly args?: readonly Argument[]
  readonly options?: Readonly<Record<string, OptionKind>>
  /** Short names of options. */
  readonly aliases?: Readonly<Record<string, string>>
  run(call: Call): Promise<Reply> | Reply
}

export const value = (content: unknown): Reply => ({ kind: 'value', value: content })

/** Text arguments called `name`, at least one. */
export const manyPaths = (name: string): readonly Argument[] => [
  { name, kind: 'text', required: true, variadic: true },
]

/** One text argument called `name`. */
export const onePath = (name: string): readonly Argument[] => [
  { name, kind: 'text', required: true, variadic: false },
]
