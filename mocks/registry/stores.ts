/** What the registry keeps, as small interfaces: the endpoints know these and nothing behind them. */
export interface Stores {
  readonly repositories: RepositoryStore
  readonly blobs: BlobStore
  readonly manifests: ManifestStore
  readonly tags: TagStore
  readonly uploads: UploadStore
  readonly garbage: GarbageStore
  readonly content: ContentStore
  readonly tokens: TokenStore
}

/** One page of a sorted list: at most `limit` entries that sort after `last`. */
export interface Page {
  readonly limit: number
  readonly last: string
}

export interface RepositoryStore {
  exists(name: string): Promise<boolean>
  /** Names in ASCII order. */
  list(page: Page): Promise<string[]>
}

export interface Blob {
  /** `sha256:…`, also for a blob that was pushed under another algorithm. */
  readonly digest: string
  readonly cid: string
  readonly size: number
}

/** The session that a blob came through, as it was when its content was checked. */
export interface ClosingUpload {
  readonly id: string
  readonly size: number
}

export interface NewBlob extends Blob {
  /** The name under another algorithm, under which the blob is to be found too. */
  readonly alias?: string
  readonly upload?: ClosingUpload
}

export interface BlobStore {
  /** Finds a blob of this repository by any of its digests. */
  find(repository: string, digest: string): Promise<Blob | undefined>
  /**
   * Records pinned content as a blob of the repository and closes the session, both or neither. `gone`: the session
   * was closed or went on meanwhile. `unpinned`: the content was just collected; pin it again and repeat.
   */
  record(repository: string, blob: NewBlob): Promise<'recorded' | 'gone' | 'unpinned'>
  /** Makes a blob of `from` a blob of `repository` too. */
  mount(repository: string, from: string, digest: string): Promise<Blob | undefined>
  /** Repositories that hold the blob, in ASCII order. */
  holders(digest: string, page: Page): Promise<string[]>
  /** Takes the blob out of this repository only; false when it was not there. */
  remove(repository: string, digest: string): Promise<boolean>
}

/**
 * Content that no repository and no manifest holds any more, or not yet. It is unpinned some time after it was
 * condemned, and remembered as such for a while, so that a push of the same content at that very moment pins it again.
 */
export interface GarbageStore {
  /**
   * Condemns content that is about to be pinned, should the push end before its record: the record takes it back.
   * Content that is recorded is never claimed, whoever foresaw it.
   */
  foresee(cid: string): Promise<void>
  /** Drops the records of blobs that nothing holds, and condemns their content. */
  condemn(): Promise<void>
  /** CIDs to unpin now. They are this caller's until it reports them, or for a few minutes. */
  claim(): Promise<string[]>
  collected(cid: string): Promise<void>
}

export interface Manifest {
  readonly digest: string
  readonly contentType: string
  /** The exact text that was pushed. */
  readonly content: string
}

export interface NewManifest extends Manifest {
  /** Bytes of `content` in UTF-8. */
  readonly size: number
  readonly subject?: string
  readonly artifactType?: string
  /** A JSON object as text. */
  readonly annotations?: string
  /** What it refers to, by digest: blobs, and what may be a manifest or a blob. */
  readonly blobs: readonly string[]
  readonly manifests: readonly string[]
  /** Store it also where the repository does not hold all of that. */
  readonly sparse?: boolean
}

/** A manifest refers to content that its repository does not hold. */
export class ContentAbsent extends Error {
  readonly code = 'ERR_CONTENT_ABSENT'
  override readonly name = 'ContentAbsent'
  readonly digests: readonly string[]

  constructor(digests: readonly string[]) {
    super(`the repository does not hold ${digests.join(', ')}`)
    this.digests = digests
  }
}

export interface Referrer {
  readonly digest: string
  readonly contentType: string
  readonly size: number
  readonly artifactType?: string
  readonly annotations?: string
}

export interface ManifestStore {
  /** By tag or by digest; a digest is told by its colon. */
  find(repository: string, reference: string): Promise<Manifest | undefined>
  /**
   * Stores the manifest, links it to what it refers to, and points the tags at it: all or nothing. Rejects with
   * `ContentAbsent`, and no deletion comes between this check and the rest.
   */
  put(repository: string, manifest: NewManifest, tags: readonly string[]): Promise<void>
  /** Takes the manifest and the tags that point at it out of this repository; false when it was not there. */
  remove(repository: string, digest: string): Promise<boolean>
  /** Manifests of the repository with this subject, by digest in ASCII order. */
  referrers(
    repository: string,
    subject: string,
    page: Page & { readonly artifactType?: string },
  ): Promise<Referrer[]>
}

export interface TagStore {
  /** Tags in ASCII order. */
  list(repository: string, page: Page): Promise<string[]>
  remove(repository: string, tag: string): Promise<boolean>
}

export type Algorithm = 'sha256' | 'sha512'

/** A run of bytes of an upload, lying in the storage node by itself. */
export interface Chunk {
  readonly start: number
  readonly size: number
  readonly cid: string
  readonly sha256: string
  /** Only where the session was opened for sha512. */
  readonly sha512?: string
}

export interface Upload {
  readonly id: string
  readonly repository: string
  readonly algorithm: Algorithm
  /** Bytes received. */
  readonly size: number
}

export interface UploadStore {
  open(upload: Upload): Promise<void>
  /** A session is found only under the repository that it was opened in, and not after its expiry. */
  find(repository: string, id: string): Promise<Upload | undefined>
  chunks(id: string): Promise<Chunk[]>
  /** Adds a chunk at the end and puts the expiry off. False when the session is gone or does not end at `chunk.start`. */
  append(id: string, chunk: Chunk): Promise<boolean>
  /** False when there was none. */
  cancel(repository: string, id: string): Promise<boolean>
  /** Drops what has expired; resolves to their number. */
  expire(): Promise<number>
}

/** Content by CID, in the storage node. Every method rejects with `StorageUnavailable` when the node fails. */
export interface ContentStore {
  /** Stores bytes, unpinned: what is never pinned, the storage node collects by itself. */
  add(bytes: AsyncIterable<Uint8Array>): Promise<string>
  pin(cid: string): Promise<void>
  unpin(cid: string): Promise<void>
  /** All bytes, or a part of them. The caller checks how many came, and what: the node may lie. */
  read(cid: string, range?: { offset: number; length: number }): Promise<AsyncIterable<Uint8Array>>
}

export interface Access {
  readonly type: string
  readonly name: string
  readonly actions: readonly string[]
}

export interface Claims {
  readonly subject: string
  readonly access: readonly Access[]
}

/** Tokens are for one audience, the registry's own domain, which also issues them. */
export interface TokenStore {
  issue(domain: string, claims: Claims): Promise<{ token: string; issuedAt: number; expiresIn: number }>
  /** Undefined for anything but an unexpired token of this registry. */
  verify(domain: string, token: string): Promise<Claims | undefined>
  /** A refresh token names an account and is good for nothing but new tokens. */
  issueRefresh(domain: string, subject: string): Promise<string>
  verifyRefresh(domain: string, token: string): Promise<string | undefined>
}
