import type { Handler } from './handler.ts'
import type { HelloImage } from './hello-image.ts'

export interface PushOptions {
  /** One that asks for no login. */
  readonly registry: Handler
  readonly repository: string
  readonly tag: string
}

/** Called in the process, a registry has no address; this stands in for it. */
const origin = 'http://localhost'

/** Pushes an image as a client would, but in the process. Rejects with the answer of the registry that stopped it. */
export async function pushImage(
  image: HelloImage,
  { registry, repository, tag }: PushOptions,
): Promise<void> {
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
        ...(body && {
          headers: { 'content-type': type, 'content-length': String(body.length) },
          body: new Uint8Array(body),
        }),
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
