/** Byte ranges of HTTP, of which only the first is served. https://www.rfc-editor.org/rfc/rfc9110#section-14.2 */

/** From and to as the client counts: `last` is included, a `suffix` counts from the end. */
export type RequestedRange =
  | { readonly first: number; readonly last: number | undefined }
  | { readonly suffix: number }

export interface ByteRange {
  readonly start: number
  /** Not included. */
  readonly end: number
}

/** Reads a Range header; undefined when it is malformed or counts anything but bytes. */
export function parseRanges(header: string): readonly RequestedRange[] | undefined {
  if (!header.startsWith('bytes=')) return undefined
  const ranges: RequestedRange[] = []
  for (const text of header.slice('bytes='.length).split(',')) {
    if (text.trim() === '') continue
    const range = parseRange(text.trim())
    if (!range) return undefined
    ranges.push(range)
  }
  return ranges
}

function parseRange(text: string): RequestedRange | undefined {
  const [, first, last] = /^(\d*)\s*-\s*(\d*)$/.exec(text) ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (first === '') return { suffix: Number(last) }
  if (last !== '' && Number(last) < Number(first)) return undefined
  return { first: Number(first), last: last === '' ? undefined : Number(last) }
}

/** The bytes of the first range that lies in content of `size` bytes; undefined when none does. */
export function placeRange(ranges: readonly RequestedRange[], size: number): ByteRange | undefined {
  for (const range of ranges) {
    if ('suffix' in range) return { start: Math.max(0, size - range.suffix), end: size }
    if (range.first < size) return { start: range.first, end: Math.min(size, (range.last ?? size - 1) + 1) }
  }
  return undefined
}

/** Whether the ranges together ask for more than there is: then they are ignored. */
export function isGreedy(ranges: readonly RequestedRange[], size: number): boolean {
  const lengths = ranges.map((range) => placeRange([range], size)).map((at) => (at ? at.end - at.start : 0))
  return lengths.reduce((sum, length) => sum + length, 0) > size
}
