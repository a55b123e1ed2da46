/**
 * Reads multipart/form-data as Kubo does: every part is a file whatever its field is called, and what is wrong with a
 * body is said in the words of Go's reader. One chunk of the body is in memory at a time, and chunks go on uncopied.
 */
import { IpfsError } from './errors.ts'

export interface Part {
  readonly headers: ReadonlyMap<string, string>
  /** The content. It ends at the next boundary, or where a cut body ends. */
  readonly body: AsyncIterable<Uint8Array>
}

/** The parts of a body, one after the other; asking for the next skips what was not read of the last. */
export type MultipartSource = AsyncIterable<Part>

const lineFeed = 0x0a
const carriageReturn = 0x0d
/** Bytes that the headers of a part may take. */
const headerLimit = 80 * 1024

const cutOff = () => new IpfsError('ERR_INPUT', 'multipart: NextPart: EOF')

export async function* readMultipart(
  source: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Part> {
  const input = new Input(source)
  if (!(await skipTo(input, Buffer.from(`--${boundary}`), Buffer.from(`\r\n--${boundary}`)))) throw cutOff()
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  while (!(await atEnd(input))) {
    const headers = await readHeaders(input)
    // A body that ends among the headers of a part ends before that part.
    if (!headers) return
    const body = readBody(input, delimiter)
    yield { headers, body }
    // What the reader of this part left is skipped.
    for await (const _ of body);
  }
}

/** The bytes that have arrived and are not yet used up. */
class Input {
  chunk: Buffer = Buffer.alloc(0)
  readonly #source: AsyncIterator<Uint8Array>

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Puts the next chunk behind what is left. False at the end of the body. */
  async more(): Promise<boolean> {
    const { done, value } = await this.#source.next()
    if (done) return false
    const next = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    this.chunk = this.chunk.length === 0 ? next : Buffer.concat([this.chunk, next])
    return true
  }

  take(length: number): Buffer {
    const taken = this.chunk.subarray(0, length)
    this.chunk = this.chunk.subarray(length)
    return taken
  }

  /** A line without its end; undefined when the body ends first. */
  async line(): Promise<string | undefined> {
    let end = this.chunk.indexOf(lineFeed)
    while (end < 0) {
      if (this.chunk.length > headerLimit) throw new IpfsError('ERR_INPUT', 'multipart: message too large')
      if (!(await this.more())) return undefined
      end = this.chunk.indexOf(lineFeed)
    }
    return this.take(end + 1)
      .toString()
      .replace(/\r?\n$/, '')
  }
}

/** Skips the preamble and the first boundary. */
async function skipTo(input: Input, first: Buffer, later: Buffer): Promise<boolean> {
  while (input.chunk.length < first.length) if (!(await input.more())) return false
  if (input.chunk.subarray(0, first.length).equals(first)) {
    input.take(first.length)
    return true
  }
  for (let found = input.chunk.indexOf(later); ; found = input.chunk.indexOf(later)) {
    if (found >= 0) {
      input.take(found + later.length)
      return true
    }
    input.take(Math.max(0, input.chunk.length - later.length))
    if (!(await input.more())) return false
  }
}

/** Reads what follows a boundary: the end of the body (`--`), or the end of the line. */
async function atEnd(input: Input): Promise<boolean> {
  while (input.chunk.length < 2) if (!(await input.more())) break
  if (input.chunk.subarray(0, 2).toString() === '--') return true
  if ((await input.line())?.trim() !== '') throw cutOff()
  return false
}

async function readHeaders(input: Input): Promise<Map<string, string> | undefined> {
  const headers = new Map<string, string>()
  let size = 0
  for (let line = await input.line(); line !== ''; line = await input.line()) {
    if (line === undefined) return undefined
    size += line.length
    if (size > headerLimit) throw new IpfsError('ERR_INPUT', 'multipart: message too large')
    const colon = line.indexOf(':')
    if (colon < 0) throw new IpfsError('ERR_INPUT', 'multipart: NextPart: malformed MIME header line')
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

async function* readBody(input: Input, delimiter: Buffer): AsyncGenerator<Uint8Array> {
  // An empty part: its boundary follows the blank line at once.
  const bare = delimiter.subarray(2)
  while (input.chunk.length < bare.length && (await input.more()));
  if (input.chunk.subarray(0, bare.length).equals(bare)) {
    input.take(bare.length)
    return
  }
  for (;;) {
    const found = input.chunk.indexOf(delimiter)
    if (found >= 0) {
      if (found > 0) yield input.take(found)
      input.take(delimiter.length)
      return
    }
    const sure = input.chunk.length - beginOf(delimiter, input.chunk)
    if (sure > 0) yield input.take(sure)
    if (!(await input.more())) {
      // The body was cut. What arrived counts as the content; asking for a next part tells of the cut.
      if (input.chunk.length > 0) yield input.take(input.chunk.length)
      return
    }
  }
}

/** Bytes at the end of `chunk` that may be the begin of the delimiter. */
function beginOf(delimiter: Buffer, chunk: Buffer): number {
  const from = Math.max(0, chunk.length - delimiter.length + 1)
  for (let at = chunk.indexOf(carriageReturn, from); at >= 0; at = chunk.indexOf(carriageReturn, at + 1)) {
    if (delimiter.subarray(0, chunk.length - at).equals(chunk.subarray(at))) return chunk.length - at
  }
  return 0
}
