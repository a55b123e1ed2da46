/** What content is: by the extension of its name, else by how it begins. */
import { extname } from 'node:path/posix'

const byExtension: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.bz2': 'application/x-bzip2',
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.gif': 'image/gif',
  '.gz': 'application/gzip',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.ogg': 'audio/ogg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tar': 'application/x-tar',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.wav': 'audio/x-wav',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.xml': 'text/xml; charset=utf-8',
  '.zip': 'application/zip',
  '.zst': 'application/zstd',
}

/** Bytes of content that `sniff` looks at. */
export const sniffLength = 3072

/** Signatures at fixed offsets, in latin1. */
const signatures: readonly [type: string, at: number, bytes: string][] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 8, 'WEBP'],
  ['image/bmp', 0, 'BM'],
  ['application/pdf', 0, '%PDF-'],
  ['application/gzip', 0, '\x1f\x8b'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['application/zstd', 0, '\x28\xb5\x2f\xfd'],
  ['application/x-xz', 0, '\xfd7zXZ\x00'],
  ['application/x-bzip2', 0, 'BZh'],
  ['application/x-7z-compressed', 0, '7z\xbc\xaf\x27\x1c'],
  ['application/x-tar', 257, 'ustar'],
  ['application/wasm', 0, '\x00asm'],
  ['application/x-elf', 0, '\x7fELF'],
  ['audio/mpeg', 0, 'ID3'],
  ['application/ogg', 0, 'OggS'],
  ['video/mp4', 4, 'ftyp'],
  ['video/webm', 0, '\x1a\x45\xdf\xa3'],
]

/** The type of a file called `name`; undefined when the extension says nothing. */
export function typeByName(name: string): string | undefined {
  return byExtension[extname(name).toLowerCase()]
}

/** The type of content that begins with `head` and has `size` bytes in all. */
export function sniff(head: Uint8Array, size: number): string {
  if (size === 0) return 'text/plain'
  const text = Buffer.from(head).toString('latin1')
  const signed = signatures.find(([, at, bytes]) => text.startsWith(bytes, at))
  if (signed) return signed[0]
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what makes content binary
  if (/[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text)) return 'application/octet-stream'
  return sniffText(text.trimStart(), head, size)
}

function sniffText(start: string, head: Uint8Array, size: number): string {
  if (
    /^(<!doctype html|<(html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|!--)[\s>])/i.test(
      start,
    )
  ) {
    return 'text/html; charset=utf-8'
  }
  if (start.startsWith('<?xml')) return start.includes('<svg') ? 'image/svg+xml' : 'text/xml; charset=utf-8'
  if (start.startsWith('<svg')) return 'image/svg+xml'
  if (/^[{[]/.test(start) && looksLikeJson(start, head.length < size)) return 'application/json'
  return isUtf8(head, head.length < size) ? 'text/plain; charset=utf-8' : 'text/plain; charset=iso-8859-1'
}

/** Of a document that is cut, only the begin can be judged. */
function looksLikeJson(text: string, cut: boolean): boolean {
  if (cut) return /^[{[]\s*(["{[\d\]}-]|true|false|null)/.test(text)
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isUtf8(head: Uint8Array, cut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: cut })
    return true
  } catch {
    return false
  }
}
