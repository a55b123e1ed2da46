/** `refs`: what a DAG links to, at once below its root or all the way down. */
import type { CID } from '../dag/cid.ts'
import { parseArgument, resolveCid } from '../dag/path.ts'
import { children } from '../dag/walk.ts'
import { type Call, type Command, manyPaths } from './call.ts'

export const refs: Command = {
  path: 'refs',
  args: manyPaths('ipfs-path'),
  options: { recursive: 'bool', unique: 'bool', 'max-depth': 'int' },
  aliases: { r: 'recursive', u: 'unique' },
  run: (call) => ({ kind: 'values', values: list(call) }),
}

async function* list(call: Call) {
  const { node, args, options, format } = call
  const depth = options.flag('recursive', false) ? (options.number('max-depth') ?? -1) : 1
  const seen = options.flag('unique', false) ? new Set<string>() : undefined
  for (const arg of args) {
    const root = await resolveCid(node.repo, parseArgument(arg))
    for await (const cid of below(call, root, depth, seen)) yield { Ref: format(cid), Err: '' }
  }
}

/** The links below a block to `depth` levels, -1 for all. */
async function* below(
  call: Call,
  cid: CID,
  depth: number,
  seen: Set<string> | undefined,
): AsyncGenerator<CID> {
  if (depth === 0) return
  for (const child of await children(call.node.repo, cid)) {
    if (seen?.has(child.toString())) continue
    seen?.add(child.toString())
    yield child
    yield* below(call, child, depth - 1, seen)
  }
}
