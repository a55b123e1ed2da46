import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'
import { type Stack, startStack } from '../../../mocks/stack.ts'
import { needsProgram, run } from '../program.test-support.ts'

/** A client of container registries, a registry that asks for a login, and a folder for the two. */
export interface Client {
  /** `HOST:PORT` of the registry. */
  readonly host: string
  readonly username: string
  readonly password: string
  /** Is removed after the test. */
  readonly folder: string
  /** Runs the client in the folder to its end; rejects with what it said when it fails. Resolves to what it printed on stdout. */
  run(...args: readonly string[]): Promise<string>
  /**
   * Reads an image back from the registry as it is now: the digest of its manifest and of everything below it, all of
   * it compared with the bytes. Resolves to undefined where the registry has none.
   */
  stored(repository: string, reference: string): Promise<readonly string[] | undefined>
  /** How many blobs were mounted from another repository. */
  mounted(): number
}

interface Needs {
  /** How the program tells its version; `--version` unless told. */
  readonly version?: string
  /** Where it comes from; the Debian package of its name unless told. */
  readonly from?: string
  /** Go before the arguments of each run. */
  readonly always?: (folder: string) => readonly string[]
}

/** Skips the test where the program is not installed; otherwise resolves to it and a registry of its own. */
export async function openClient(context: TestContext, program: string, needs: Needs = {}): Promise<Client> {
  needsProgram(context, program, needs.version, needs.from)
  const folder = await mkdtemp(join(tmpdir(), `assay-${program}-`))
  const stack = await startStack({ services: ['registry'] })
  onTestFinished(async () => {
    await stack.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  const { url = '', accounts } = stack.targets.registry ?? {}
  const owner = accounts?.owner ?? { username: '', password: '' }
  // No client may find what the user of this machine keeps at home.
  const { DOCKER_CONFIG: _, ...inherited } = process.env
  const env = { ...inherited, HOME: folder }
  return {
    host: new URL(url).host,
    ...owner,
    folder,
    async run(...args) {
      const { stdout } = await run(program, [...(needs.always?.(folder) ?? []), ...args], {
        env,
        cwd: folder,
      })
      return stdout
    },
    stored: (repository, reference) => stored(url, owner, repository, reference),
    mounted: () => mounted(stack),
  }
}

const mounted = ({ requests }: Stack) =>
  requests.list().requests.filter(({ query, status }) => query['mount'] !== undefined && status === 201)
    .length

const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

async function stored(
  url: string,
  owner: { readonly username: string; readonly password: string },
  repository: string,
  reference: string,
): Promise<readonly string[] | undefined> {
  const authorization = `Basic ${Buffer.from(`${owner.username}:${owner.password}`).toString('base64')}`
  const asked = await fetch(`${url}/token?scope=repository:${repository}:pull`, {
    headers: { authorization },
  })
  const { token } = (await asked.json()) as { token: string }
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${token}`, accept: '*/*' }
    const response = await fetch(`${url}/v2/${repository}/${path}`, { headers })
    if (response.status === 404) return undefined
    if (response.status !== 200) throw new Error(`${response.status} for ${path} of ${repository}`)
    return new Uint8Array(await response.arrayBuffer())
  }
  const manifest = await get(`manifests/${reference}`)
  if (!manifest) return undefined
  const { config, layers = [] } = JSON.parse(Buffer.from(manifest).toString()) as {
    config?: { digest: string }
    layers?: { digest: string }[]
  }
  const below = [...(config ? [config] : []), ...layers].map(({ digest }) => digest)
  for (const digest of below) {
    const bytes = await get(`blobs/${digest}`)
    if (!bytes || digestOf(bytes) !== digest)
      throw new Error(`${digest} of ${repository} is not what it says`)
  }
  return [digestOf(manifest), ...below]
}
