import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from './errors.ts'
import type { AccountCredentials } from './target.ts'

interface DockerConfig {
  readonly auths?: Readonly<
    Record<
      string,
      {
        readonly auth?: string
        readonly username?: string
        readonly password?: string
        readonly identitytoken?: string
      }
    >
  >
  readonly credHelpers?: Readonly<Record<string, string>>
  readonly credsStore?: string
}

/**
 * The credentials that `docker login` kept for a registry, in `config.json` or behind a credential helper
 * (docker docs, "Credential stores"). `undefined` where there are none. Throws `UsageError` when the file or the
 * helper is broken.
 */
export async function dockerCredentials(
  registryUrl: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<AccountCredentials | undefined> {
  const path = join(environment['DOCKER_CONFIG'] ?? join(homedir(), '.docker'), 'config.json')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const config = parse(text, path)
  const { host } = new URL(registryUrl)
  const helper = config.credHelpers?.[host] ?? config.credsStore
  const fromHelper = helper && (await askHelper(helper, host, environment))
  return fromHelper || plain(config, host, path)
}

function parse(text: string, path: string): DockerConfig {
  try {
    return JSON.parse(text) as DockerConfig
  } catch {
    throw new UsageError(`${path} is not JSON; mend it, or give --username and --password`)
  }
}

function plain({ auths = {} }: DockerConfig, host: string, path: string): AccountCredentials | undefined {
  const entry = auths[host] ?? Object.entries(auths).find(([name]) => hostOf(name) === host)?.[1]
  if (entry?.identitytoken) throw identityToken(host)
  if (entry?.username && entry.password !== undefined) {
    return { username: entry.username, password: entry.password }
  }
  if (!entry?.auth) return undefined
  const decoded = Buffer.from(entry.auth, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 1) throw new UsageError(`${path}: the entry of ${host} is not base64 of username:password`)
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}

/** Some clients keep a whole URL, others a host. */
const hostOf = (name: string) => name.replace(/^https?:\/\//, '').replace(/\/.*$/s, '')

/** What stands for the username beside an identity token (docker docs, "Credential helper protocol"). */
const noUsername = '<token>'

const identityToken = (host: string) =>
  new UsageError(
    `docker login kept an identity token for ${host}, not a password; give --username and --password, or --token`,
  )

const helperPatienceMs = 10_000

function askHelper(
  helper: string,
  host: string,
  environment: NodeJS.ProcessEnv,
): Promise<AccountCredentials | undefined> {
  const program = `docker-credential-${helper}`
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      ['get'],
      { env: environment, timeout: helperPatienceMs },
      (error, stdout) => {
        if (/credentials not found/i.test(stdout)) return resolve(undefined)
        if (error) return reject(new UsageError(`${program} failed; give --username and --password instead`))
        const credentials = helperAnswer(stdout)
        if (!credentials) return reject(new UsageError(`${program} answered no Username and Secret as JSON`))
        return credentials.username === noUsername ? reject(identityToken(host)) : resolve(credentials)
      },
    )
    // A helper that does not start closes the pipe before it was written to; the callback above tells.
    child.stdin?.on('error', () => {})
    child.stdin?.end(host)
  })
}

function helperAnswer(stdout: string): AccountCredentials | undefined {
  try {
    const { Username, Secret } = Object(JSON.parse(stdout)) as { Username?: unknown; Secret?: unknown }
    if (typeof Username === 'string' && typeof Secret === 'string')
      return { username: Username, password: Secret }
  } catch {
    // What is no JSON holds no credentials.
  }
  return undefined
}
