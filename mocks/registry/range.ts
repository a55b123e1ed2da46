/** Bytes `first` to `last`, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * The range that a `Range` header asks for: undefined when it is to be ignored (another unit, malformed, several
 * ranges), `unsatisfiable` when it starts behind the end or behind its own end. https://www.rfc-editor.org/rfc/rfc9110#section-14
 */
export function byteRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from === '') {
    const wanted = Math.min(Number(to), size)
    return wanted === 0 ? 'unsatisfiable' : { first: size - wanted, last: size - 1 }
  }
  if (Number(from) >= size || (to !== '' && Number(to) < Number(from))) return 'unsatisfiable'
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
