/** A file or directory as a tar archive. https://specs.ipfs.tech/http-gateways/path-gateway/#format-request-query-parameter */
import { streamBody } from '../body.ts'
import { formatCid } from '../dag/cid.ts'
import type { Node } from '../dag/node.ts'
import { archive } from '../dag/tar.ts'
import { messageOf } from '../rpc/respond.ts'
import { mediaTypes } from './format.ts'
import { contentDisposition, immutable } from './headers.ts'
import type { GatewayRequest } from './request.ts'

export function serveTar(
  asked: GatewayRequest,
  node: Node,
  common: Readonly<Record<string, string>>,
): Response {
  const { repo, request, query, context, path } = asked
  const cid = formatCid(node.cid)
  const headers = {
    ...common,
    'Cache-Control': immutable,
    'Content-Disposition': contentDisposition('attachment', query.get('filename') || `${cid}.tar`),
    'Content-Type': mediaTypes.tar,
    Etag: `W/"${cid}.x-tar"`,
    'X-Content-Type-Options': 'nosniff',
  }
  if (request.method === 'HEAD') return new Response(null, { headers })
  const files = archive(repo, path.segments.at(-1) ?? cid, node)
  const body = streamBody(files, context, (error) => {
    context.res?.destroy()
    return new Error(messageOf(error))
  })
  return new Response(body, { headers })
}
