/** Headers that answers of several kinds share. */
import { type CID, formatCid } from '../dag/cid.ts'
import type { GatewayRequest } from './request.ts'

export const immutable = 'public, max-age=29030400, immutable'

/** Any page may read the gateway. */
export const crossOrigin: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Headers': 'Content-Type, Range, User-Agent, X-Requested-With',
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Content-Length, Content-Range, X-Chunked-Output, X-Ipfs-Path, X-Ipfs-Roots, X-Stream-Output',
}

/** Text as the bytes of its UTF-8 form, which is how it goes into a header; without line breaks. */
export const headerText = (text: string): string =>
  Buffer.from(text.replace(/\p{Cc}/gu, '')).toString('latin1')

export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = escapeName(name.replace(/\P{ASCII}/gu, '_'))
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${escapeName(name)}`
}

/** As Go's url.PathEscape: more than encodeURIComponent leaves readable, and some less. */
const escapeName = (name: string) =>
  encodeURIComponent(name)
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(24|26|2B|3A|3D|40)/g, (code) => decodeURIComponent(code))

/** Disposition of a file: only a `?filename=` asks for one. */
export function fileDisposition({ query }: GatewayRequest): Record<string, string> {
  const name = query.get('filename')
  if (!name) return {}
  const kind = query.get('download') === 'true' ? 'attachment' : 'inline'
  return { 'Content-Disposition': contentDisposition(kind, name) }
}

export const rootsHeader = (roots: readonly CID[]): string => roots.map((cid) => formatCid(cid)).join(',')
