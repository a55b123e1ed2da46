import type { Handler } from './handler.ts'
import type { HelloImage } from './hello-image.ts'
import type { Login } from './targets.ts'

export interface PushOptions {
  readonly registry: Handler
  /** Undefined where the registry asks for no login. */
  readonly login: Login | undefined
  readonly repository: string
  readonly tag: string
}

/** Called in the process, a registry has no address; this stands in for it. */
const origin = 'http://localhost'

/** Pushes an image as a client would, but in the process. Rejects with the answer of the registry that stopped it. */
export async function pushImage(image: HelloImage, options: PushOptions): Promise<void> {
  const { registry, repository, tag } = options
  const headers = options.login ? { authorization: `Bearer ${await tokenFor(options, options.login)}` } : {}
  const send = (
    method: string,
    path: string,
    body?: Buffer<ArrayBufferLike>,
    type = 'application/octet-stream',
  ) =>
    expectCreated(
      registry,
      new Request(new URL(path, origin), {
        method,
        headers: { ...headers, ...(body && { 'content-type': type, 'content-length': String(body.length) }) },
        ...(body && { body: new Uint8Array(body) }),
      }),
    )

  for (const blob of [image.layer, image.config]) {
    const session = await send('POST', `/v2/${repository}/blobs/uploads/`)
    const location = new URL(session.headers.get('location') ?? '', origin)
    location.searchParams.set('digest', blob.digest)
    await send('PUT', location.href, blob.bytes)
  }
  await send('PUT', `/v2/${repository}/manifests/${tag}`, image.manifest.bytes, image.manifest.mediaType)
}

async function expectCreated(registry: Handler, request: Request): Promise<Response> {
  const { method, url } = request
  const response = await registry(request, {})
  if (response.status === 201 || response.status === 202) return response
  throw new Error(`${method} ${url} was answered ${response.status}: ${await response.text()}`)
}

async function tokenFor({ registry, repository }: PushOptions, login: Login): Promise<string> {
  const url = new URL(`/token?scope=repository:${repository}:pull,push`, origin)
  const basic = Buffer.from(`${login.username}:${login.password}`).toString('base64')
  const response = await registry(new Request(url, { headers: { authorization: `Basic ${basic}` } }), {})
  const { token }: { token?: unknown } = await response.json()
  if (typeof token === 'string') return token
  throw new Error(`${url} was answered ${response.status} without a token`)
}
