/** `add`: content in, CID out. https://docs.ipfs.tech/reference/kubo/rpc/#api-v0-add */
import { CID, codecs } from '../dag/cid.ts'
import { encodeNode } from '../dag/dag-pb.ts'
import { type Attributes, encodeSymlink } from '../dag/unixfs.ts'
import { IpfsError } from '../errors.ts'
import { IncomingFile } from '../import/incoming-file.ts'
import { type ImportSettings, importOptions, importSettings } from '../import/options.ts'
import { type BlockSink, nowhere, seal } from '../import/prefix.ts'
import { Directory, type SealedDirectory, type TreeEntry } from '../import/tree.ts'
import { readSmall, type UploadedEntry, uploadedEntries } from '../import/upload.ts'
import type { MultipartSource } from '../multipart.ts'
import type { Session } from '../store/session.ts'
import type { Call, Command } from './call.ts'

/** One line of the answer. */
interface AddEvent {
  readonly Name: string
  readonly Hash?: string
  readonly Bytes?: number
  readonly Size?: string
  readonly Mode?: string
  readonly Mtime?: number
  readonly MtimeNsecs?: number
}

interface Settings extends ImportSettings {
  readonly pin: boolean
  readonly pinName: string
  readonly progress: boolean
  readonly silent: boolean
  readonly wrap: boolean
  readonly onlyHash: boolean
}

const progressStep = 256 * 1024
const symlinkLimit = 64 * 1024

export const add: Command = {
  path: 'add',
  args: [{ name: 'path', kind: 'file', required: true, variadic: true }],
  options: {
    ...importOptions,
    quiet: 'bool',
    quieter: 'bool',
    silent: 'bool',
    progress: 'bool',
    pin: 'bool',
    'pin-name': 'string',
    'only-hash': 'bool',
    'wrap-with-directory': 'bool',
    trickle: 'bool',
    nocopy: 'bool',
    'to-files': 'string',
  },
  aliases: {
    q: 'quiet',
    Q: 'quieter',
    p: 'progress',
    n: 'only-hash',
    w: 'wrap-with-directory',
    s: 'chunker',
    t: 'trickle',
  },
  run(call) {
    return { kind: 'values', values: addAll(call, readSettings(call), call.files) }
  },
}

function readSettings({ options }: Call): Settings {
  const onlyHash = options.flag('only-hash', false)
  const pin = options.flag('pin', true) && !onlyHash
  const pinName = options.text('pin-name') ?? ''
  if (!pin && options.has('pin-name')) throw bad('pin-name option requires pin to be set')
  if (Buffer.byteLength(pinName) > 255) {
    throw bad(`pin name is ${Buffer.byteLength(pinName)} bytes (max 255 bytes)`)
  }
  for (const name of ['trickle', 'nocopy']) {
    if (options.flag(name, false)) throw bad(`${name} is not offered by this node`)
  }
  if (options.has('to-files')) throw bad('to-files is not offered by this node')
  return {
    ...importSettings(options),
    onlyHash,
    pin,
    pinName,
    progress: options.flag('progress', false),
    silent: options.flag('silent', false),
    wrap: options.flag('wrap-with-directory', false),
  }
}

/** Files of one request that share a first name lie in one tree, and each tree is stored and pinned as a whole. */
async function* addAll(call: Call, settings: Settings, files: MultipartSource): AsyncGenerator<AddEvent> {
  let adder: TreeAdder | undefined
  let count = 0
  try {
    for await (const entry of uploadedEntries(files)) {
      count++
      if (adder && !adder.takes(entry)) {
        yield* adder.finish()
        adder = undefined
      }
      adder ??= await TreeAdder.begin(call, settings, entry)
      yield* adder.add(entry)
      if (adder.isSingle) {
        yield* adder.finish()
        adder = undefined
      }
    }
    if (count === 0 && !settings.wrap) throw bad('expected a file argument')
    if (count === 0) adder = await TreeAdder.begin(call, settings)
    if (adder) yield* adder.finish()
  } finally {
    // After a failure, and after a client that left. What was complete before stays, as on Kubo.
    adder?.abandon()
  }
}

class TreeAdder {
  /** One file or link by itself, not a directory. */
  readonly isSingle: boolean
  readonly #call: Call
  readonly #settings: Settings
  readonly #session: Session
  readonly #sink: BlockSink
  readonly #unlock: () => void
  readonly #top: Directory
  /** First name of the tree; undefined when all that is added lies in one directory. */
  readonly #name: string | undefined
  #root: TreeEntry | undefined
  #incoming: IncomingFile | undefined

  private constructor(call: Call, settings: Settings, unlock: () => void, first: UploadedEntry | undefined) {
    this.#call = call
    this.#settings = settings
    this.#unlock = unlock
    this.#session = call.node.repo.session()
    this.#sink = settings.onlyHash ? nowhere : this.#session
    this.#top = new Directory(settings.attributesOf({}))
    this.#name = settings.wrap ? undefined : first?.path.split('/')[0]
    this.isSingle = first !== undefined && first.path === this.#name && first.type !== 'directory'
  }

  static async begin(call: Call, settings: Settings, first?: UploadedEntry): Promise<TreeAdder> {
    const unlock = settings.pin ? await call.node.lock.shared() : () => {}
    return new TreeAdder(call, settings, unlock, first)
  }

  /** Whether an entry belongs to this tree. */
  takes(entry: UploadedEntry): boolean {
    return this.#name === undefined || (!this.isSingle && entry.path.startsWith(`${this.#name}/`))
  }

  async *add(entry: UploadedEntry): AsyncGenerator<AddEvent> {
    const attributes = this.#settings.attributesOf(entry.attributes)
    const names = entry.path === '' ? [] : entry.path.split('/')
    if (entry.type === 'directory') {
      this.#top.directory(names).attributes = attributes
      return
    }
    const node =
      entry.type === 'symlink' ? await this.#symlink(entry, attributes) : yield* this.#file(entry, attributes)
    const name = names.at(-1) ?? this.#format(node.cid)
    if (this.isSingle) {
      this.#root = node
      // The one line of the answer is the acknowledgement: it comes after everything is stored.
      this.#close()
    } else this.#top.directory(names.slice(0, -1)).put(name, node)
    if (!this.#settings.silent) {
      const own = this.isSingle ? describeAttributes(entry) : {}
      yield { Name: names.join('/') || name, ...this.#describe(node), ...own }
    }
  }

  /** Stores the tree, pins it, and tells of its directories. */
  async *finish(): AsyncGenerator<AddEvent> {
    const directories = this.isSingle ? [] : this.#close()
    if (this.#settings.silent) return
    for (const directory of directories) {
      yield { Name: [this.#name, directory.path].filter(Boolean).join('/'), ...this.#describe(directory) }
    }
  }

  /** Gives up what is not stored yet, and lets collections go on. */
  abandon(): void {
    this.#incoming?.drop()
    this.#session.abandon()
    this.#unlock()
  }

  #close(): readonly SealedDirectory[] {
    try {
      const directories = this.isSingle ? [] : this.#sealDirectories()
      const root = this.#root ?? directories.at(-1)
      if (!this.#settings.onlyHash) this.#session.commit()
      if (this.#settings.pin && root) this.#pin(root)
      return directories
    } finally {
      this.#unlock()
    }
  }

  #sealDirectories(): readonly SealedDirectory[] {
    const top = this.#top.directory(this.#name === undefined ? [] : [this.#name])
    return top.seal(this.#sink, this.#settings.layout.prefix)
  }

  async *#file(entry: UploadedEntry, attributes: Attributes): AsyncGenerator<AddEvent, TreeEntry> {
    const { layout, onlyHash } = this.#settings
    const { worker } = this.#call.node
    const file = new IncomingFile({ session: this.#session, stored: !onlyHash, layout, attributes, worker })
    this.#incoming = file
    let bytes = 0
    let told = 0
    for await (const chunk of entry.body) {
      bytes += chunk.length
      await file.write(chunk)
      if (this.#settings.progress && bytes - told >= progressStep) {
        told = bytes
        yield { Name: entry.path, Bytes: bytes }
      }
    }
    if (this.#settings.progress) yield { Name: entry.path, Bytes: bytes }
    return file.finish()
  }

  async #symlink(entry: UploadedEntry, { mtime }: Attributes): Promise<TreeEntry> {
    const target = (await readSmall(entry.body, symlinkLimit)).toString()
    const block = encodeNode({ links: [], data: encodeSymlink(target, mtime ? { mtime } : {}) })
    const cid = seal(this.#sink, this.#settings.layout.prefix, codecs.dagPb, [block], block.length)
    return { cid, size: block.length }
  }

  #pin(root: TreeEntry): void {
    this.#call.node.repo.pin(CID.decode(root.cid).toString(), {
      mode: 'recursive',
      name: this.#settings.pinName,
    })
  }

  #describe({ cid, size }: TreeEntry) {
    return { Hash: this.#format(cid), Size: String(size) }
  }

  #format(cid: Uint8Array): string {
    return this.#call.format(CID.decode(cid))
  }
}

/** Go's mode bits of a symbolic link. */
const symlinkMode = '01000000777'

function describeAttributes({ type, attributes: { mode, mtime } }: UploadedEntry): Partial<AddEvent> {
  return {
    ...(type === 'symlink' ? { Mode: symlinkMode } : mode ? { Mode: `0${mode.toString(8)}` } : {}),
    ...(mtime && mtime.seconds !== 0 ? { Mtime: mtime.seconds } : {}),
    ...(mtime && mtime.nanoseconds !== 0 ? { MtimeNsecs: mtime.nanoseconds } : {}),
  }
}

const bad = (message: string) => new IpfsError('ERR_INPUT', message)
