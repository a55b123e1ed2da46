import { createHash } from 'node:crypto'
import { manifestInvalid, Refusal } from './errors.ts'
import { isDigest, isSupportedDigest } from './names.ts'
import type { Algorithm, NewManifest } from './stores.ts'

const ociManifest = 'application/vnd.oci.image.manifest.v1+json'
const ociIndex = 'application/vnd.oci.image.index.v1+json'
const dockerManifest = 'application/vnd.docker.distribution.manifest.v2+json'
const dockerList = 'application/vnd.docker.distribution.manifest.list.v2+json'
const imageTypes = new Set([ociManifest, dockerManifest])
const indexTypes = new Set([ociIndex, dockerList])
const signedSchema1 = /^application\/vnd\.docker\.distribution\.manifest\.v1\+/
const nondistributable = /nondistributable|\.foreign\./
/** More than any real document has, and less than PostgreSQL's own limit, which is that of its stack. */
const deepest = 1000

type Members = Readonly<Record<string, unknown>>

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly isElsewhere: boolean
}

/**
 * Reads a pushed manifest: what it is and what it refers to. Unknown media types and unknown members are welcome; what
 * the image specification defines has to be well-formed. https://github.com/opencontainers/image-spec
 */
export function readManifest(
  bytes: Uint8Array,
  contentTypeHeader: string | null,
  algorithm: Algorithm,
): NewManifest | Refusal {
  const content = textOf(bytes)
  const members = content === undefined ? undefined : membersOf(content)
  if (content === undefined || !members) return manifestInvalid('a manifest is a JSON object in UTF-8')
  const contentType = typeOf(contentTypeHeader, members)
  if (contentType instanceof Refusal) return contentType
  const references = referencesOf(contentType, members)
  if (references instanceof Refusal) return references
  const subject = subjectOf(members)
  if (subject instanceof Refusal) return subject
  const about = subject === undefined ? {} : aboutReferrer(contentType, members)
  if (about.artifactType?.includes('\0')) return manifestInvalid('the artifact type holds a NUL')
  return {
    digest: `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`,
    contentType,
    content,
    size: bytes.byteLength,
    ...references,
    ...(subject !== undefined && { subject, ...about }),
  }
}

/** JSON text as it is stored and served again: exactly the same bytes, which NUL and stray bytes would not be. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function membersOf(text: string): Members | undefined {
  try {
    const document: unknown = JSON.parse(text)
    return isMembers(document) && !isDeeper(text, deepest) ? document : undefined
  } catch {
    return undefined
  }
}

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Counts brackets outside of strings in text that is known to be JSON. */
function isDeeper(json: string, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (inString && character === '\\') at += 1
    else if (character === '"') inString = !inString
    else if (!inString && (character === '[' || character === '{')) depth += 1
    else if (!inString && (character === ']' || character === '}')) depth -= 1
    if (depth > limit) return true
  }
  return false
}

/** The Content-Type without parameters, which the document's own `mediaType` must not contradict. */
function typeOf(header: string | null, { mediaType }: Members): string | Refusal {
  const sent = header?.split(';')[0]?.trim() || undefined
  if (mediaType !== undefined && typeof mediaType !== 'string')
    return manifestInvalid('mediaType is not a string')
  const type = sent ?? mediaType
  if (type === undefined) return manifestInvalid('neither Content-Type nor mediaType says what this is')
  if (type.length > 255 || !/^[\x21-\x7e]+$/.test(type)) {
    return manifestInvalid('the media type is malformed or has more than 255 characters')
  }
  if (mediaType !== undefined && mediaType !== type) {
    return manifestInvalid(`mediaType is ${mediaType}, Content-Type is ${type}`.slice(0, 500))
  }
  return type
}

function referencesOf(
  type: string,
  members: Members,
): { blobs: readonly string[]; manifests: readonly string[] } | Refusal {
  if (signedSchema1.test(type)) return manifestInvalid('Docker schema 1 is not supported')
  const isImage = imageTypes.has(type)
  const isIndex = indexTypes.has(type)
  if ((isImage || isIndex) && members['schemaVersion'] !== 2) return manifestInvalid('schemaVersion is not 2')
  const required = isImage ? ['config', 'layers'] : isIndex ? ['manifests'] : []
  const missing = required.find((name) => members[name] === undefined)
  if (missing) return manifestInvalid(`${missing} is missing`)
  const known = isImage || isIndex
  const blobs = descriptors(members, isIndex ? [] : ['config', 'layers', 'blobs'], known)
  if (blobs instanceof Refusal) return blobs
  const manifests = descriptors(members, isImage ? [] : ['manifests'], known)
  if (manifests instanceof Refusal) return manifests
  return {
    blobs: blobs.filter(({ isElsewhere }) => !isElsewhere).map(({ digest }) => digest),
    manifests: manifests.map(({ digest }) => digest),
  }
}

/** The descriptors under these members. In a document of unknown type, what does not look like one is left alone. */
function descriptors(members: Members, names: readonly string[], strict: boolean): Descriptor[] | Refusal {
  const found: Descriptor[] = []
  for (const name of names) {
    const value = members[name] ?? []
    if (strict && Array.isArray(value) === (name === 'config')) return manifestInvalid(`${name} is malformed`)
    for (const entry of Array.isArray(value) ? value : [value]) {
      const descriptor = descriptorOf(entry)
      if (descriptor) found.push(descriptor)
      else if (strict) return manifestInvalid(`a descriptor in ${name} is malformed`)
    }
  }
  return found
}

function descriptorOf(value: unknown): Descriptor | undefined {
  if (!isMembers(value)) return undefined
  const { mediaType, digest, size } = value
  if (typeof digest !== 'string' || !isSupportedDigest(digest)) return undefined
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined
  if (typeof mediaType !== 'string') return undefined
  return { mediaType, digest, isElsewhere: nondistributable.test(mediaType) }
}

function subjectOf({ subject }: Members): string | undefined | Refusal {
  if (subject === undefined || subject === null) return undefined
  const malformed = manifestInvalid('subject is malformed')
  if (!isMembers(subject)) return malformed
  const { digest } = subject
  return typeof digest === 'string' && isDigest(digest) ? digest : malformed
}

/** What a referrers list says of the manifest. An index without artifactType has none; an image has its config's. */
function aboutReferrer(
  type: string,
  { artifactType, config, annotations }: Members,
): { artifactType?: string; annotations?: string } {
  const own = typeof artifactType === 'string' && artifactType !== '' ? artifactType : undefined
  const fallback =
    !indexTypes.has(type) && isMembers(config) && typeof config['mediaType'] === 'string'
      ? config['mediaType']
      : undefined
  const kind = own ?? fallback
  return {
    ...(kind !== undefined && { artifactType: kind }),
    ...(isMembers(annotations) && { annotations: JSON.stringify(annotations) }),
  }
}
