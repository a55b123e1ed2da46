/** `dag/stat`: how many blocks DAGs have, and how much of them they share. */
import { blockSize } from '../dag/node.ts'
import { parseArgument, resolveCid } from '../dag/path.ts'
import { walk } from '../dag/walk.ts'
import { type Call, type Command, manyPaths } from './call.ts'

interface Counted {
  readonly Cid: string
  Size: number
  NumBlocks: number
}

export const dagStat: Command = {
  path: 'dag/stat',
  args: manyPaths('root'),
  options: { progress: 'bool' },
  aliases: { p: 'progress' },
  run: (call) => ({ kind: 'values', values: count(call) }),
}

async function* count({ node: { repo }, args, options, format }: Call) {
  const progress = options.flag('progress', true)
  const unique = new Set<string>()
  const counted: Counted[] = []
  let total = 0
  let walked = 0
  for (const arg of args) {
    const root = await resolveCid(repo, parseArgument(arg))
    const one: Counted = { Cid: format(root), Size: 0, NumBlocks: 0 }
    counted.push(one)
    for await (const cid of walk(repo, root)) {
      const size = blockSize(repo, cid)
      one.Size += size
      one.NumBlocks++
      walked += size
      if (!unique.has(cid.toString())) total += size
      unique.add(cid.toString())
      if (progress) yield { TotalSize: total, DagStats: counted.map((each) => ({ ...each })) }
    }
  }
  const ratio = total === 0 ? 0 : Math.fround(walked / total)
  yield {
    UniqueBlocks: unique.size,
    TotalSize: total,
    ...(walked === total ? {} : { SharedSize: walked - total }),
    Ratio: Number(ratio.toPrecision(8)),
    DagStats: counted,
  }
}
