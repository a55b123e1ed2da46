import type { StackOptions } from '../../mocks/stack/options.ts'
import { UsageError } from '../errors.ts'

type Settings = Pick<StackOptions, 'database' | 'storageUrl' | 'signingSecret' | 'domain' | 'controlToken'>

/** The settings that come from the environment; those of the registry only where there is one. Empty counts as absent. */
export function readEnvironment(environment: NodeJS.ProcessEnv, registry: boolean): Settings {
  const value = (name: string) =>
    (registry || !name.startsWith('REGISTRY_') ? environment[name] : '') || undefined
  const database = databaseUrl(value('REGISTRY_DB_HOST'), value('REGISTRY_DB_PASSWORD'))
  const storageUrl = value('REGISTRY_DFS_STORAGE_API_URL')
  const signingSecret = value('REGISTRY_SIGNING_SECRET')
  const domain = value('REGISTRY_DOMAIN')
  const controlToken = value('ASSAY_CONTROL_TOKEN')
  return {
    ...(database !== undefined && { database }),
    ...(storageUrl !== undefined && { storageUrl }),
    ...(signingSecret !== undefined && { signingSecret }),
    ...(domain !== undefined && { domain }),
    ...(controlToken !== undefined && { controlToken }),
  }
}

function databaseUrl(host: string | undefined, password: string | undefined): Settings['database'] {
  if (host === undefined) return undefined
  const url = `postgres://${host}/open_registry` as const
  if (!URL.canParse(url) || new URL(url).host !== host.toLowerCase()) {
    throw new UsageError(`REGISTRY_DB_HOST must be HOST or HOST:PORT, not "${host}"`)
  }
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`
  return `postgres://postgres${secret}@${host}/open_registry`
}
