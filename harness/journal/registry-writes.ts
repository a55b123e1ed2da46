import type { Answer } from '../answer.ts'
import { sha256 } from '../sha256.ts'
import type { JournalEvent } from './event.ts'
import { byStatus, type Outgoing, type Recognised, type Recogniser } from './observer.ts'
import type { Thing } from './thing.ts'

type Upload = Extract<Thing, { kind: 'upload' }>
/** Open uploads by their Location. */
type Uploads = Map<string, Upload>

const manifestPath = /\/v2\/(.+)\/manifests\/([^/]+)$/
const uploadsPath = /\/v2\/(.+)\/blobs\/uploads\/?$/
const uploadPath = /\/v2\/(.+)\/blobs\/uploads\/[^/].*$/

/**
 * Recognises what is pushed to a registry: manifests with their tags, blobs in each of the three ways, and uploads,
 * which are followed from Location to Location. `name` makes the ids of uploads.
 */
export function registryWrites(name: () => string): Recogniser {
  const uploads: Uploads = new Map()
  return {
    recognise(request) {
      const { method } = request
      if (!/^(?:PUT|PATCH|POST|DELETE)$/.test(method)) return undefined
      const url = new URL(request.url)
      const upload = uploads.get(withoutDigest(request.url))
      if (upload || uploadPath.test(url.pathname)) return intoUpload(request, url, upload, uploads)
      if (method === 'PUT' && manifestPath.test(url.pathname)) return { making: pushed(request, url) }
      const repository = uploadsPath.exec(url.pathname)?.[1]
      if (method !== 'POST' || repository === undefined) return undefined
      return started({ kind: 'upload', repository, id: name() }, url, uploads, request)
    },
  }
}

/** A location as an answer named it: the digest is what clients put behind it. */
const withoutDigest = (url: string) => url.replace(/[?&]digest=[^&]*$/, '')

const emptyDigest = sha256(new Uint8Array())

function pushed({ body = new Uint8Array(), digest = emptyDigest }: Outgoing, url: URL): readonly Thing[] {
  const [, repository = '', reference = ''] = manifestPath.exec(url.pathname) ?? []
  const named = decodeURIComponent(reference)
  const tags = [...(named.includes(':') ? [] : [reference]), ...url.searchParams.getAll('tag')]
  const refers = referredBy(body)
  return [
    {
      kind: 'manifest',
      repository,
      digest,
      ...(named.includes(':') && named !== digest && { alias: named }),
      ...(refers.length > 0 && { refers }),
    },
    ...tags.map((tag) => ({ kind: 'tag' as const, repository, tag })),
  ]
}

/** The manifests that an index lists, and the subject. */
function referredBy(body: Uint8Array): readonly string[] {
  try {
    const { manifests, subject } = Object(JSON.parse(Buffer.from(body).toString())) as {
      readonly manifests?: unknown
      readonly subject?: unknown
    }
    const listed: readonly unknown[] = Array.isArray(manifests) ? manifests : []
    return [...listed, subject].flatMap((one) => {
      const { digest } = Object(one) as { readonly digest?: unknown }
      return typeof digest === 'string' ? [digest] : []
    })
  } catch {
    return []
  }
}

function started(upload: Upload, { searchParams }: URL, uploads: Uploads, request: Outgoing): Recognised {
  const { repository } = upload
  const mounted = searchParams.get('mount')
  const digest = searchParams.get('digest')
  const blobs = mounted === null ? blobsOf(repository, digest, request.digest) : blobsOf(repository, mounted)
  return {
    making: [upload, ...blobs],
    settled(answer) {
      if (answer.status === 202) return [...refused(blobs), ...moved(upload, answer, uploads)]
      // Without a 202 nobody can name the upload, if there is one.
      return [{ gone: [upload] }, ...byStatus(blobs, answer), ...toldDigest(blobs, answer)]
    },
  }
}

type Blob = Extract<Thing, { kind: 'blob' }>

/** Under another algorithm, a registry may keep a blob under sha256 as well. */
function blobsOf(repository: string, digest: string | null, sha256Digest?: string): readonly Blob[] {
  if (digest === null) return []
  const named: Blob = { kind: 'blob', repository, digest }
  return sha256Digest && !digest.startsWith('sha256:') ? [named, { ...named, digest: sha256Digest }] : [named]
}

/** The name that the registry itself gives to a blob. */
function toldDigest([blob]: readonly Blob[], answer: Answer): readonly JournalEvent[] {
  const digest = answer.header('docker-content-digest')
  const told = blob && answer.status < 300 && digest !== undefined && /^[\w+.-]+:\w+$/.test(digest)
  return told && digest !== blob.digest ? [{ made: [{ ...blob, digest }] }] : []
}

const refused = (things: readonly Thing[]) => (things.length > 0 ? [{ refused: things }] : [])

function intoUpload(
  { method, url: asked, digest: ofBody }: Outgoing,
  { pathname, searchParams }: URL,
  known: Upload | undefined,
  uploads: Uploads,
): Recognised {
  const repository = known?.repository ?? uploadPath.exec(pathname)?.[1] ?? ''
  const digest = searchParams.get('digest')
  const closing = method === 'PUT' && digest !== null
  const blobs = closing ? blobsOf(repository, digest, ofBody) : []
  return {
    making: blobs,
    settled(answer) {
      const events = [...byStatus(blobs, answer), ...toldDigest(blobs, answer)]
      if (!known || answer.status >= 300) return events
      if (!closing && method !== 'DELETE') return moved(known, answer, uploads)
      uploads.delete(withoutDigest(asked))
      return [...events, { gone: [known] }]
    },
  }
}

/** The upload goes on at another place, or at the same. */
function moved(upload: Upload, answer: Answer, uploads: Uploads): readonly JournalEvent[] {
  const location = answer.header('location')
  if (location === undefined || !URL.canParse(location, answer.url)) return []
  const { href } = new URL(location, answer.url)
  if (uploads.get(href)?.id === upload.id) return []
  const there = { ...upload, url: href }
  uploads.set(href, there)
  return [{ made: [there] }]
}
