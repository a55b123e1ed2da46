import { createHash } from 'node:crypto'
import type { Answer } from '../answer.ts'
import { absent, type Capabilities, type Need, offered } from '../capability.ts'
import { PrerequisiteFailure, TargetFailure } from '../errors.ts'
import type { HttpClient } from '../http.ts'
import type { Redactor } from '../redactor.ts'
import { createRegistryClient, type RegistryAccess, type RegistryClient } from '../registry-client.ts'
import type { Capability } from '../report.ts'
import type { RegistryTarget } from '../target.ts'

export interface RegistryProbeOptions {
  readonly target: RegistryTarget
  readonly access: RegistryAccess
  readonly http: HttpClient
  readonly redactor: Redactor
  readonly namespace: string
  /** Where the probe writes. */
  readonly repository: string
  readonly readOnly: boolean
  /** Whether anybody will ask for this. */
  readonly wanted: (need: Need) => boolean
}

/** Whether the repository of the probe has tags already: a run of the same seed was there, or is. */
export async function isOccupied(options: RegistryProbeOptions): Promise<boolean> {
  const client = createRegistryClient({ ...options, account: 'owner', tokens: new Map() })
  try {
    const answer = await client.get(`/v2/${options.repository}/tags/list`)
    const { tags } = Object(answer.status === 200 ? answer.json() : undefined) as { readonly tags?: unknown }
    return Array.isArray(tags) && tags.length > 0
  } catch (error) {
    // A target that breaks down here is judged by its requirements.
    if (
      error instanceof TargetFailure ||
      error instanceof PrerequisiteFailure ||
      error instanceof SyntaxError
    ) {
      return false
    }
    throw error
  }
}

/** Tries each optional part of the API once, side by side, in repositories of its own below the namespace. */
export async function probeRegistry(options: RegistryProbeOptions): Promise<Capabilities> {
  const { target, access, namespace, repository, readOnly, wanted } = options
  const client = createRegistryClient({ ...options, account: 'owner', tokens: new Map() })
  const anonymous = createRegistryClient({ ...options, account: 'anonymous', tokens: new Map() })
  const reading = await tried(wanted, {
    auth: async () => authentication(await anonymous.get('/v2/'), access, target),
    private: () => privacy(anonymous, namespace, target),
    catalog: async () => byStatus('GET /v2/_catalog', await client.get('/v2/_catalog'), 200),
  })
  if (readOnly) {
    const off = { offered: false, cause: 'not-configured' as const, reason: 'the run is read-only' }
    return { ...reading, ...Object.fromEntries(writing.map((need) => [need, off])) }
  }
  return {
    ...reading,
    push: offered('asked for; --read-only switches it off'),
    ...(await tried(wanted, writingTrials(client, repository))),
  }
}

/** What can only be found out by writing. */
export const writing = [
  'push',
  'single-post',
  'mount',
  'cancel',
  'range',
  'sha512',
  'referrers',
  'tag-param',
  'delete.tag',
  'delete.manifest',
  'delete.blob',
] as const

type Attempts = Readonly<Partial<Record<Need, () => Promise<Capability>>>>

async function tried(wanted: (need: Need) => boolean, attempts: Attempts): Promise<Capabilities> {
  const names = (Object.keys(attempts) as Need[]).filter(wanted)
  return Object.fromEntries(
    await Promise.all(names.map(async (need) => [need, await seen(attempts[need])] as const)),
  )
}

/** Makes one attempt; a target that breaks down in it does not offer the thing. */
async function seen(attempt: (() => Promise<Capability>) | undefined): Promise<Capability> {
  try {
    return attempt ? await attempt() : absent('nobody knows how to find out')
  } catch (error) {
    if (error instanceof TargetFailure || error instanceof PrerequisiteFailure) return absent(error.message)
    throw error
  }
}

function byStatus(what: string, answer: Answer, ...statuses: readonly number[]): Capability {
  const sentence = `${what} answered ${answer.status}`
  return statuses.includes(answer.status) ? offered(sentence) : absent(sentence)
}

function authentication(root: Answer, { scheme }: RegistryAccess, target: RegistryTarget): Capability {
  if (root.status === 401) return offered(`an anonymous GET /v2/ answered 401 (${scheme})`)
  if (target.accounts || target.token) return offered('accounts are configured')
  return absent(`an anonymous GET /v2/ answered ${root.status}`)
}

/** One open door is a finding of the requirements, not a public registry: it is public where nothing is refused. */
async function privacy(
  anonymous: RegistryClient,
  namespace: string,
  target: RegistryTarget,
): Promise<Capability> {
  if (target.accounts?.stranger) return offered('an account without rights is named (accounts.stranger)')
  const seen: string[] = []
  for (const path of ['manifests/latest', 'tags/list']) {
    const { status } = await anonymous.get(`/v2/${namespace}/probe/${path}`)
    const sentence = `an anonymous GET of ${path} in ${namespace}/probe answered ${status}`
    if (status === 401 || status === 403) return offered(sentence)
    seen.push(sentence)
  }
  return absent(seen.join('; '))
}

function writingTrials(client: RegistryClient, name: string): Attempts {
  const deleted = async (what: string, path: string) =>
    byStatus(`DELETE of ${what}`, await client.delete(path), 202)
  return {
    'single-post': () => singlePost(client, name),
    mount: () => mount(client, name),
    cancel: () => cancel(client, name),
    range: () => range(client, name),
    sha512: () => sha512(client, name),
    referrers: () => referrers(client, name),
    'tag-param': () => tagParameter(client, name),
    'delete.tag': async () => {
      await pushManifest(client, name, 'to-delete-by-tag')
      return deleted('a tag', `/v2/${name}/manifests/to-delete-by-tag`)
    },
    'delete.manifest': async () => {
      const digest = await pushManifest(client, name, 'to-delete-by-digest')
      return deleted('a manifest', `/v2/${name}/manifests/${digest}`)
    },
    'delete.blob': async () => {
      const digest = await pushBlob(client, name, Buffer.from('blob to delete'))
      return deleted('a blob', `/v2/${name}/blobs/${digest}`)
    },
  }
}

async function singlePost(client: RegistryClient, name: string): Promise<Capability> {
  const bytes = Buffer.from('single post')
  const answer = await client.post(`/v2/${name}/blobs/uploads/?digest=${digestOf(bytes)}`, octets(bytes))
  return byStatus('POST with a digest', answer, 201)
}

async function mount(client: RegistryClient, name: string): Promise<Capability> {
  const digest = await pushBlob(client, name, Buffer.from('blob to mount'))
  const path = `/v2/${name}-mount/blobs/uploads/?mount=${digest}&from=${encodeURIComponent(name)}`
  return byStatus('a mount', await client.post(path), 201)
}

async function cancel(client: RegistryClient, name: string): Promise<Capability> {
  const location = await startUpload(client, name)
  return byStatus('DELETE of an upload', await client.delete(location), 202, 204)
}

async function range(client: RegistryClient, name: string): Promise<Capability> {
  const digest = await pushBlob(client, name, Buffer.from('a blob to read in part'))
  const headers = { range: 'bytes=0-9' }
  return byStatus('GET with Range', await client.get(`/v2/${name}/blobs/${digest}`, { headers }), 206)
}

async function sha512(client: RegistryClient, name: string): Promise<Capability> {
  const bytes = Buffer.from('a blob with a longer name')
  const digest = digestOf(bytes, 'sha512')
  const location = await startUpload(client, name)
  const put = await client.put(withDigest(location, digest), octets(bytes))
  if (put.status !== 201) return absent(`a push under sha512 answered ${put.status}`)
  return byStatus('GET under sha512', await client.get(`/v2/${name}/blobs/${digest}`), 200)
}

/** A registry that claims a subject has the API, whatever it answers there. */
async function referrers(client: RegistryClient, name: string): Promise<Capability> {
  const subject = await prepareManifest(client, name, 'subject')
  await pushManifest(client, name, 'subject')
  const answer = await client.get(`/v2/${name}/referrers/${digestOf(Buffer.from('no manifest'))}`)
  if (answer.status === 200) return byStatus('GET of referrers', answer, 200)
  const manifest = Buffer.from(
    JSON.stringify({
      ...JSON.parse(subject.toString()),
      subject: { mediaType, digest: digestOf(subject), size: subject.length },
    }),
  )
  const put = await client.put(`/v2/${name}/manifests/with-subject`, manifestBody(manifest))
  return put.header('oci-subject')
    ? offered(`GET of referrers answered ${answer.status}, yet a push was answered with OCI-Subject`)
    : absent(`GET of referrers answered ${answer.status}`)
}

async function tagParameter(client: RegistryClient, name: string): Promise<Capability> {
  const manifest = await prepareManifest(client, name, 'tag parameter')
  const digest = digestOf(manifest)
  const answer = await client.put(`/v2/${name}/manifests/${digest}?tag=by-parameter`, manifestBody(manifest))
  const tags = answer.header('oci-tag')
  const sentence = `PUT by digest with tag= answered ${answer.status} ${tags ? `with OCI-Tag: ${tags}` : 'without OCI-Tag'}`
  return answer.status === 201 && tags ? offered(sentence) : absent(sentence)
}

const mediaType = 'application/vnd.oci.image.manifest.v1+json'
const octets = (body: Uint8Array) => ({ headers: { 'content-type': 'application/octet-stream' }, body })
const manifestBody = (body: Uint8Array) => ({ headers: { 'content-type': mediaType }, body })

const digestOf = (bytes: Uint8Array, algorithm = 'sha256') =>
  `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`

const withDigest = (location: string, digest: string) =>
  `${location}${location.includes('?') ? '&' : '?'}digest=${digest}`

async function startUpload(client: RegistryClient, name: string): Promise<string> {
  const answer = await client.post(`/v2/${name}/blobs/uploads/`)
  const location = answer.header('location')
  if (answer.status !== 202 || !location)
    throw new PrerequisiteFailure(`starting an upload answered ${answer.status}`)
  if (!URL.canParse(location, answer.url)) throw new PrerequisiteFailure(`the Location ${location} is no URL`)
  return new URL(location, answer.url).href
}

async function pushBlob(client: RegistryClient, name: string, bytes: Uint8Array): Promise<string> {
  const digest = digestOf(bytes)
  const answer = await client.put(withDigest(await startUpload(client, name), digest), octets(bytes))
  if (answer.status !== 201) throw new PrerequisiteFailure(`pushing a blob answered ${answer.status}`)
  return digest
}

/** A manifest of its own for each purpose, so that deleting one touches no other. */
async function prepareManifest(client: RegistryClient, name: string, purpose: string): Promise<Buffer> {
  const config = Buffer.from('{}')
  const digest = await pushBlob(client, name, config)
  const descriptor = { mediaType: 'application/vnd.oci.empty.v1+json', digest, size: config.length }
  return Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType,
      artifactType: 'application/vnd.assay.probe',
      config: descriptor,
      layers: [descriptor],
      annotations: { purpose },
    }),
  )
}

async function pushManifest(client: RegistryClient, name: string, tag: string): Promise<string> {
  const manifest = await prepareManifest(client, name, tag)
  const answer = await client.put(`/v2/${name}/manifests/${tag}`, manifestBody(manifest))
  if (answer.status !== 201) throw new PrerequisiteFailure(`pushing a manifest answered ${answer.status}`)
  return digestOf(manifest)
}
