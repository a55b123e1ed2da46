/** The RPC of a storage node: finds the command, checks the request as Kubo does, and runs it. */
import type { Handler, ServerContext } from '../../handler.ts'
import { type CID, formatCid, isMultibase } from '../dag/cid.ts'
import { IpfsError } from '../errors.ts'
import { readSmall } from '../import/upload.ts'
import type { IpfsNode } from '../ipfs-node.ts'
import { parseMediaType } from '../media-type.ts'
import { type MultipartSource, readMultipart } from '../multipart.ts'
import { requestBody } from '../request-body.ts'
import { agent } from '../version.ts'
import { allowedOrigin, isForbidden } from './access.ts'
import type { Call, Command, Options } from './call.ts'
import { BadRequest, checkArguments, parseOptions } from './parse.ts'
import { failure, plain, respond } from './respond.ts'

export interface RpcOptions {
  /** Refuses GET everywhere, as Kubo does. */
  readonly strict: boolean
}

const root = '/api/v0'

export function createRpc(node: IpfsNode, commands: readonly Command[], { strict }: RpcOptions): Handler {
  const byPath = new Map(commands.map((command) => [command.path, command]))
  const groups = new Set(
    commands.flatMap(({ path }) => (path.includes('/') ? [path.split('/')[0] ?? ''] : [])),
  )

  return async (request, context) => {
    const url = new URL(request.url)
    if (url.pathname === '/version') return plain(200, `Commit: \nClient Version: ${agent}`)
    if (/\/\//.test(url.pathname)) return redirect(url.pathname.replace(/\/{2,}/g, '/'))
    if (url.pathname === root) return redirect(`${root}/`)
    if (!url.pathname.startsWith(`${root}/`)) return plain(404, '404 page not found')
    const response = await answer(request, url, context)
    return withOrigin(request, response, context)
  }

  async function answer(request: Request, url: URL, context: ServerContext): Promise<Response> {
    if (isPreflight(request)) return preflight(request, context)
    const { command, args } = find(url.pathname.slice(root.length + 1))
    const methods = command?.readable && !strict ? ['OPTIONS', 'POST', 'HEAD', 'GET'] : ['OPTIONS', 'POST']
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: { Allow: methods.join(', ') } })
    if (!methods.includes(request.method)) {
      return plain(405, '405 - Method Not Allowed', { Allow: methods.join(', ') })
    }
    if (isForbidden(request, context)) return plain(403, '403 - Forbidden')
    if (command?.path !== 'version' && isOtherKubo(request)) {
      return plain(400, `api version mismatch (/${agent}/ != ${request.headers.get('user-agent')})`)
    }
    if (command === undefined) {
      return groups.has(url.pathname.slice(root.length + 1))
        ? respond({ kind: 'nothing' }, context)
        : plain(404, '404 page not found')
    }
    return run(command, args, request, url, context)
  }

  /** A command, or a command and its argument as the last segment of the path. */
  function find(path: string): { command: Command | undefined; args: readonly string[] } {
    const command = byPath.get(path)
    if (command) return { command, args: [] }
    const slash = path.lastIndexOf('/')
    const above = byPath.get(path.slice(0, Math.max(0, slash)))
    return { command: above, args: above ? [decodeURIComponent(path.slice(slash + 1))] : [] }
  }

  async function run(
    command: Command,
    pathArgs: readonly string[],
    request: Request,
    url: URL,
    context: ServerContext,
  ): Promise<Response> {
    try {
      const call = await readCall(node, command, pathArgs, request, url, context)
      const stopped = timeOut(call.options)
      if (stopped) return stopped
      return await respond(await command.run(call), context)
    } catch (error) {
      return error instanceof BadRequest ? plain(400, error.message) : failure(error, context)
    }
  }
}

async function readCall(
  node: IpfsNode,
  command: Command,
  pathArgs: readonly string[],
  request: Request,
  url: URL,
  context: ServerContext,
): Promise<Call> {
  const options = parseOptions(url.searchParams, command.options ?? {}, command.aliases ?? {})
  const files = readFiles(request, context)
  const args = [...pathArgs, ...url.searchParams.getAll('arg')]
  checkArguments(args, command.args ?? [], files !== undefined)
  if (files && command.args?.at(-1)?.kind === 'text') args.push(...(await readArguments(files)))
  const encoding = options.text('encoding') ?? 'json'
  if (!['json', 'xml', 'text'].includes(encoding)) throw new BadRequest(`invalid encoding: ${encoding}`)
  return { node, args, options, files: files ?? noParts, format: formatter(options) }
}

function readFiles(request: Request, context: ServerContext): MultipartSource | undefined {
  const { type, parameters } = parseMediaType(request.headers.get('content-type') ?? '')
  if (type !== 'multipart/form-data') return undefined
  const boundary = parameters.get('boundary')
  if (!boundary) throw new BadRequest('no multipart boundary param in Content-Type')
  return readMultipart(requestBody(request, context), boundary)
}

/** Text arguments that came as a file: one a line. */
async function readArguments(files: MultipartSource): Promise<string[]> {
  const args: string[] = []
  for await (const { body } of files) {
    args.push(...(await readSmall(body, 1024 * 1024)).toString().split(/\r?\n/).filter(Boolean))
  }
  return args
}

const noParts: MultipartSource = { async *[Symbol.asyncIterator]() {} }

/** Writes CIDs in the multibase of `cid-base`; one other than base58btc turns version 0 into 1. */
function formatter(options: Options): (cid: CID) => string {
  const base = options.text('cid-base')
  if (base === undefined || base === '') return (cid) => formatCid(cid)
  if (!isMultibase(base)) throw new IpfsError('ERR_INPUT', `unsupported multibase encoding: ${base}`)
  const upgrade = options.flag('upgrade-cidv0-in-output', base !== 'base58btc')
  return (cid) => formatCid(upgrade && cid.version === 0 ? cid.toV1() : cid, base)
}

/** Everything is here or it is not, so only a deadline that is no deadline shows. */
function timeOut(options: Options): Response | undefined {
  const timeout = options.text('timeout')
  if (timeout === undefined) return undefined
  const isDuration = /^[+-]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+$/.test(timeout)
  // Kubo gives up without a word: 200 and nothing.
  if (!isDuration) return new Response(null, { headers: { 'Content-Length': '0' } })
  if (!/[1-9]/.test(timeout)) throw new IpfsError('ERR_INPUT', 'could not resolve name')
  return undefined
}

/** A command line client of another release. */
function isOtherKubo(request: Request): boolean {
  const client = request.headers.get('user-agent') ?? ''
  return /\/(go-ipfs|kubo)\//.test(client) && client !== `/${agent}/`
}

const isPreflight = (request: Request) =>
  request.method === 'OPTIONS' &&
  request.headers.has('origin') &&
  request.headers.has('access-control-request-method')

function preflight(request: Request, context: ServerContext): Response {
  const headers = new Headers({
    Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  })
  const origin = allowedOrigin(request, context)
  const method = request.headers.get('access-control-request-method')
  if (origin && method && ['GET', 'POST', 'PUT'].includes(method)) {
    headers.set('Access-Control-Allow-Origin', origin)
    headers.set('Access-Control-Allow-Methods', method)
  }
  return new Response(null, { status: 204, headers })
}

function withOrigin(request: Request, response: Response, context: ServerContext): Response {
  if (!response.headers.has('Vary')) response.headers.set('Vary', 'Origin')
  const origin = allowedOrigin(request, context)
  if (origin && response.status !== 403) response.headers.set('Access-Control-Allow-Origin', origin)
  return response
}

const redirect = (location: string) =>
  new Response(null, { status: 307, headers: { Location: location, 'Content-Length': '0' } })
