import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

interface Account {
  readonly username: string
  readonly password: string
}

/** A registry by its address, which may change while it is away. */
interface Addressed {
  readonly url: string
}

/** Clients that push one blob after the other and keep count of what was acknowledged. */
export interface Pushing {
  /** Resolves once so many blobs have been acknowledged. */
  reach(count: number): Promise<void>
  /** Stops, and resolves to the digests of all that was acknowledged. */
  end(): Promise<readonly string[]>
  /** Those of the digests that a registry does not give back byte for byte. */
  missing(registry: Addressed, digests: readonly string[]): Promise<readonly string[]>
}

const repository = 'conformance/killed'

/** Starts one client for each registry; one that finds its registry gone goes on with the next. */
export function pushing(registries: readonly Addressed[], account: Account): Pushing {
  const acknowledged: string[] = []
  let going = true
  const client = async (offset: number) => {
    for (let turn = offset; going; turn += 1) {
      const registry = registries[turn % registries.length]
      const digest = registry && (await pushBlob(registry, account).catch(() => undefined))
      if (digest) acknowledged.push(digest)
      // Whoever is refused a connection does not ask again at once.
      else await setTimeout(10)
    }
  }
  const clients = registries.map((_, offset) => client(offset))
  return {
    async reach(count) {
      while (acknowledged.length < count) await setTimeout(10)
    },
    async end() {
      going = false
      await Promise.all(clients)
      return acknowledged
    },
    async missing(registry, digests) {
      const authorization = await login(registry, account)
      const found = await Promise.all(
        digests.map(async (digest) => {
          const url = `${registry.url}/v2/${repository}/blobs/${digest}`
          const response = await fetch(url, { headers: { authorization } })
          return digestOf(Buffer.from(await response.arrayBuffer())) === digest
        }),
      )
      return digests.filter((_, i) => !found[i])
    },
  }
}

const digestOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

async function login({ url }: Addressed, { username, password }: Account): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const scope = encodeURIComponent(`repository:${repository}:pull,push`)
  const response = await fetch(`${url}/token?scope=${scope}`, { headers: { authorization } })
  const { token } = (await response.json()) as { token: string }
  return `Bearer ${token}`
}

/** The digest of a blob that was acknowledged; undefined for one that was not. */
async function pushBlob(registry: Addressed, account: Account): Promise<string | undefined> {
  const { url } = registry
  const headers = { authorization: await login(registry, account) }
  const body = randomBytes(65_536)
  const begun = await fetch(`${url}/v2/${repository}/blobs/uploads/`, { method: 'POST', headers })
  const end = new URL(begun.headers.get('location') ?? '', url)
  end.searchParams.set('digest', digestOf(body))
  const { status } = await fetch(end, { method: 'PUT', headers, body })
  return status === 201 ? digestOf(body) : undefined
}
