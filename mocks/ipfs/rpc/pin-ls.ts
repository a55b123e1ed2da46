/** `pin/ls`: what is pinned, and by what. https://docs.ipfs.tech/reference/kubo/rpc/#api-v0-pin-ls */
import { type BlockKey, blockKey, type CID, parseCid } from '../dag/cid.ts'
import { parseArgument, resolveCid } from '../dag/path.ts'
import { walk } from '../dag/walk.ts'
import { IpfsError } from '../errors.ts'
import { rootAbove } from '../protection.ts'
import type { Repo } from '../store/repo.ts'
import type { Call, Command } from './call.ts'

interface ListedPin {
  readonly cid: CID
  readonly type: string
  readonly name: string
}

const types = ['direct', 'indirect', 'recursive', 'all']

export const pinLs: Command = {
  path: 'pin/ls',
  args: [{ name: 'ipfs-path', kind: 'text', required: false, variadic: true }],
  options: { type: 'string', quiet: 'bool', stream: 'bool', name: 'string', names: 'bool' },
  aliases: { t: 'type', q: 'quiet', s: 'stream', n: 'name' },
  async run(call) {
    const { options, format } = call
    const type = options.text('type') ?? 'all'
    if (!types.includes(type)) {
      throw new IpfsError(
        'ERR_INPUT',
        `invalid type '${type}', must be one of {direct, indirect, recursive, all}`,
      )
    }
    const pins = call.args.length > 0 ? await named(call, type) : listed(call, type)
    if (options.flag('stream', false)) return { kind: 'values', values: streamed(pins, format) }
    const keys: Record<string, { Type: string; Name: string }> = {}
    for await (const pin of pins) keys[format(pin.cid)] = { Type: pin.type, Name: pin.name }
    return { kind: 'value', value: Object.keys(keys).length === 0 ? {} : { Keys: keys } }
  },
}

async function* streamed(pins: AsyncIterable<ListedPin> | Iterable<ListedPin>, format: Call['format']) {
  for await (const { cid, type, name } of pins) {
    yield { Cid: format(cid), Type: type, ...(name === '' ? {} : { Name: name }) }
  }
}

async function* listed({ node: { repo }, options }: Call, type: string): AsyncGenerator<ListedPin> {
  const wanted = options.text('name')
  const named = options.flag('names', false) || wanted !== undefined
  for (const mode of ['recursive', 'direct']) {
    if (type !== 'all' && type !== mode) continue
    for (const [text, pin] of repo.pins) {
      if (pin.mode !== mode || !pin.name.includes(wanted ?? '')) continue
      yield { cid: parseCid(text), type: mode, name: named ? pin.name : '' }
    }
  }
  if ((type !== 'all' && type !== 'indirect') || wanted !== undefined) return
  const roots = [...repo.pins].filter(([, { mode }]) => type === 'all' || mode === 'recursive')
  yield* indirect(repo, new Set(roots.map(([text]) => blockKey(parseCid(text)))))
}

/** Blocks below recursive pins that are no pins themselves. */
async function* indirect(repo: Repo, roots: ReadonlySet<BlockKey>): AsyncGenerator<ListedPin> {
  const seen = new Set<BlockKey>()
  for (const [text, { mode }] of repo.pins) {
    if (mode !== 'recursive') continue
    for await (const cid of walk(repo, parseCid(text), seen)) {
      if (!roots.has(blockKey(cid))) yield { cid, type: 'indirect', name: '' }
    }
  }
}

async function named({ node: { repo }, args, options, format }: Call, type: string): Promise<ListedPin[]> {
  const names = options.flag('names', false)
  const found: ListedPin[] = []
  for (const arg of args) {
    const cid = await resolveCid(repo, parseArgument(arg))
    const pin = repo.pins.get(cid.toString())
    if (pin && (type === 'all' || type === pin.mode)) {
      found.push({ cid, type: pin.mode, name: names ? pin.name : '' })
      continue
    }
    const through = type === 'all' || type === 'indirect' ? await rootAbove(repo, cid) : undefined
    if (!through) throw new IpfsError('ERR_PIN', `path '${arg}' is not pinned`)
    found.push({ cid, type: `indirect through ${format(through)}`, name: '' })
  }
  return found
}
