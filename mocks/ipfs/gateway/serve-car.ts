/** A path and what lies below it as a CAR. https://specs.ipfs.tech/http-gateways/trustless-gateway/ */
import { createHash } from 'node:crypto'
import { streamBody } from '../body.ts'
import { carHeader, carSection } from '../car.ts'
import { type CID, formatCid, inlineContent, parseCid } from '../dag/cid.ts'
import { readBlock } from '../dag/node.ts'
import { type Resolved, resolve } from '../dag/path.ts'
import { messageOf } from '../rpc/respond.ts'
import { blocksOf, type CarScope, type EntityRange } from './car-scope.ts'
import { matches } from './etag.ts'
import { errorResponse, statusOf, unresolved } from './failure.ts'
import { mediaTypes } from './format.ts'
import { contentDisposition, immutable, rootsHeader } from './headers.ts'
import type { GatewayRequest } from './request.ts'

interface CarOptions extends CarScope {
  readonly order: 'dfs' | 'unk'
  /** Repeats a block each time that it is linked. */
  readonly duplicates: boolean
}

/** Stands where a root should be and none was found. */
const noRoot = parseCid('bafkqaaa')

export async function serveCar(
  asked: GatewayRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { repo, request, path, query, context } = asked
  const options = readOptions(asked)
  if (typeof options === 'string') return errorResponse(400, options, request)
  const etag = tagOf(asked, options)
  const name = [formatCid(path.root), path.segments.at(-1)].filter(Boolean).join('_')
  const all = {
    ...headers,
    'Accept-Ranges': 'none',
    'Cache-Control': immutable,
    'Content-Disposition': contentDisposition('attachment', query.get('filename') || `${name}.car`),
    'Content-Type': `${mediaTypes.car}; version=1; order=${options.order}; dups=${options.duplicates ? 'y' : 'n'}`,
    Etag: etag,
    'X-Content-Type-Options': 'nosniff',
  }
  if (matches(request.headers.get('if-none-match') ?? '', [etag]))
    return new Response(null, { status: 304, headers })
  const passed: CID[] = []
  let found: Resolved | undefined
  try {
    found = await resolve(repo, path, (cid) => passed.push(cid))
  } catch (error) {
    // What was found on the way proves that the rest is not there.
    if (statusOf(error) !== 404) return unresolved(asked.text, error, request)
  }
  const withRoots = { ...all, 'X-Ipfs-Roots': rootsHeader(found?.roots ?? [path.root]) }
  if (request.method === 'HEAD') return new Response(null, { headers: withRoots })
  const sections = write(asked, passed, found, options)
  const body = streamBody(sections, context, (error) => {
    context.res?.destroy()
    return new Error(messageOf(error))
  })
  return new Response(body, { headers: withRoots })
}

async function* write(
  { repo, path }: GatewayRequest,
  passed: readonly CID[],
  found: Resolved | undefined,
  options: CarOptions,
): AsyncGenerator<Uint8Array> {
  yield carHeader([found?.node.cid ?? (path.segments.length === 0 ? path.root : noRoot)])
  const written = new Set<string>()
  for await (const cid of select(passed, found)) {
    if (inlineContent(cid) || (written.has(cid.toString()) && !options.duplicates)) continue
    written.add(cid.toString())
    yield carSection(cid, await readBlock(repo, cid))
  }

  async function* select(way: readonly CID[], end: Resolved | undefined): AsyncGenerator<CID> {
    if (!end) {
      yield* way
      return
    }
    yield* way.slice(0, -1)
    yield* blocksOf(repo, end.node.cid, end.remainder, options, !options.duplicates)
  }
}

/** The options of a request, or what is wrong with them. */
function readOptions({ query, format }: GatewayRequest): CarOptions | string {
  const option = (name: string) => query.get(`car-${name}`) || format.parameters.get(name) || ''
  const range = query.get('entity-bytes')
  const parsed = range === null ? undefined : parseEntityRange(range)
  if (range !== null && !parsed) {
    return 'invalid application/vnd.ipld.car entity-bytes URL parameter: invalid range'
  }
  const scope = query.get('dag-scope') ?? 'all'
  if (scope !== 'block' && scope !== 'entity' && scope !== 'all') {
    return 'unsupported application/vnd.ipld.car scope parameter'
  }
  if (!['', '1'].includes(option('version'))) {
    return 'unsupported application/vnd.ipld.car version: only version=1 is supported'
  }
  const order = option('order') || 'dfs'
  if (order !== 'dfs' && order !== 'unk') return 'unsupported application/vnd.ipld.car order parameter'
  if (!['', 'y', 'n'].includes(option('dups'))) return 'unsupported application/vnd.ipld.car dups parameter'
  return { scope, range: parsed, order, duplicates: option('dups') === 'y' }
}

function parseEntityRange(text: string): EntityRange | undefined {
  const [, from, to] = /^(-?\d+):(-?\d+|\*)$/.exec(text) ?? []
  if (from === undefined || to === undefined) return undefined
  const range = { from: Number(from), to: to === '*' ? undefined : Number(to) }
  const isBackwards = range.to !== undefined && range.from >= 0 && range.to >= 0 && range.from > range.to
  return isBackwards ? undefined : range
}

/** Weak, since the order of blocks may differ, and different for each set of options. */
function tagOf({ path, text }: GatewayRequest, { scope, range, order, duplicates }: CarOptions): string {
  const choice = JSON.stringify([text.replace(/\/+$/, ''), scope, range ?? null, order, duplicates])
  const hash = createHash('sha256').update(choice).digest('hex').slice(0, 16)
  return `W/"${formatCid(path.root)}.car.${hash}"`
}
