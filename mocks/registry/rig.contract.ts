import { createHash } from 'node:crypto'
import { createClock } from '../clock.ts'
import { type Served, serve } from '../serve.ts'
import { type Database, openPgMem } from './database.ts'
import { createRegistry, type Registry, type RegistryOptions } from './registry.ts'
import { type StandInStorage, standInStorage } from './stand-in-storage.contract.ts'

export const secret = 'a secret of more than thirty-two characters'
export const ociManifest = 'application/vnd.oci.image.manifest.v1+json'
export const accounts = [
  { username: 'owner', password: 'p+%&=:é ü"\\', grants: [{ repository: '*', actions: ['pull', 'push'] }] },
  { username: 'reader', password: 'read', grants: [{ repository: 'team/*', actions: ['pull'] }] },
  { username: 'stranger', password: 'none', grants: [] },
] as const

export type Call = (method: string, path: string, init?: RequestInit) => Promise<Response>

/** A registry on a socket, with a storage node that a test can break. */
export interface Rig {
  readonly url: string
  readonly storage: StandInStorage
  readonly database: Database
  readonly registry: Registry
  readonly served: Served
  /** Lines of its log. */
  readonly lines: string[]
  tokenFor(username: string, ...scopes: string[]): Promise<string>
  /** Requests in the owner's name, to one repository. */
  as(repository: string): Promise<Call>
  close(): Promise<void>
}

export async function startRig(
  options: Partial<RegistryOptions> & { store?: StandInStorage } = {},
): Promise<Rig> {
  const { store: storage = standInStorage(), ...more } = options
  const lines: string[] = []
  const database = more.database ?? (await openPgMem())
  const registry = await createRegistry({
    storage: storage.handle,
    clock: createClock(),
    accounts,
    signingSecret: secret,
    log: (line) => lines.push(line),
    ...more,
    database,
  })
  const served = await serve(registry.handle)
  const tokenFor = async (username: string, ...scopes: string[]) => {
    const password = accounts.find((one) => one.username === username)?.password ?? ''
    const query = scopes.map((scope) => `scope=${encodeURIComponent(scope)}`).join('&')
    const authorization = basic(username, password)
    const response = await fetch(`${served.url}/token?${query}`, { headers: { authorization } })
    const { token } = (await response.json()) as { token: string }
    return token
  }
  return {
    url: served.url,
    storage,
    database,
    registry,
    served,
    lines,
    tokenFor,
    async as(repository) {
      const token = await tokenFor('owner', `repository:${repository}:pull,push`)
      return (method, path, init = {}) =>
        fetch(new URL(path, served.url), {
          ...init,
          method,
          headers: { authorization: `Bearer ${token}`, ...init.headers },
        })
    },
    async close() {
      await registry.close()
      await served.close()
    },
  }
}

export const sha256 = (bytes: Uint8Array | string) =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`

export const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

export const codeOf = async (response: Response) =>
  ((await response.json()) as { errors: { code: string }[] }).errors[0]?.code

export async function pushBlob(call: Call, repository: string, bytes: Uint8Array): Promise<Response> {
  const started = await call('POST', `/v2/${repository}/blobs/uploads/`)
  return call('PUT', `${started.headers.get('location')}?digest=${sha256(bytes)}`, {
    body: bytes as BodyInit,
  })
}

/** The text of an image manifest over these blobs, which have to be there. */
export function imageOf(config: Uint8Array, layers: readonly Uint8Array[], more: object = {}): string {
  const descriptor = (mediaType: string, bytes: Uint8Array) => ({
    mediaType,
    digest: sha256(bytes),
    size: bytes.byteLength,
  })
  return `${JSON.stringify(
    {
      schemaVersion: 2,
      mediaType: ociManifest,
      é: 'x',
      config: descriptor('application/vnd.oci.image.config.v1+json', config),
      layers: layers.map((layer) => descriptor('application/vnd.oci.image.layer.v1.tar', layer)),
      ...more,
    },
    null,
    1,
  )}\n`
}

export const putManifest = (
  call: Call,
  repository: string,
  reference: string,
  manifest: string,
  type: string = ociManifest,
) =>
  call('PUT', `/v2/${repository}/manifests/${reference}`, {
    body: manifest,
    headers: { 'content-type': type },
  })
