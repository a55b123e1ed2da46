import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { UsageError } from './errors.ts'
import type { Targets } from './target.ts'

const schema = JSON.parse(readFileSync(new URL('./target.schema.json', import.meta.url), 'utf8'))

/** Reads a target file. `origin` names it in messages. Throws `UsageError`. */
export function parseTargets(
  text: string,
  origin: string,
  environment: NodeJS.ProcessEnv = process.env,
): Targets {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${origin} is not JSON: ${(error as Error).message}`)
  }
  const resolved = fromEnvironment(value, '', origin, environment)
  const validate = new Ajv2020({ allErrors: true, verbose: true }).compile<Targets>(schema)
  if (!validate(resolved)) {
    throw new UsageError(
      [`${origin} does not describe targets:`, ...new Set((validate.errors ?? []).map(explain))].join('\n  '),
    )
  }
  return withoutTrailingSlashes(resolved)
}

/** Replaces each `env:NAME` by the variable's value. */
function fromEnvironment(
  value: unknown,
  pointer: string,
  origin: string,
  environment: NodeJS.ProcessEnv,
): unknown {
  if (typeof value === 'string' && value.startsWith('env:')) {
    const found = environment[value.slice(4)]
    if (found === undefined) {
      throw new UsageError(`${origin}: ${pointer} asks for the variable ${value.slice(4)}, which is not set`)
    }
    return found
  }
  if (Array.isArray(value)) {
    return value.map((item, i) => fromEnvironment(item, `${pointer}/${i}`, origin, environment))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      fromEnvironment(item, `${pointer}/${key}`, origin, environment),
    ]),
  )
}

function explain(error: ErrorObject): string {
  const where = error.instancePath || '/'
  const params = error.params as Readonly<Record<string, unknown>>
  switch (error.keyword) {
    case 'additionalProperties':
      return `${where}: unknown key "${params['additionalProperty']}"${knownKeys(error)}`
    case 'required':
      return `${where}: the key "${params['missingProperty']}" is missing`
    case 'enum':
      return `${where}: must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
    case 'pattern':
      return String(params['pattern']).startsWith('^(https?')
        ? `${where}: must be a URL that begins with http:// or https://`
        : `${where}: must be a key in PEM form`
    default:
      return `${where}: ${error.message}`
  }
}

function knownKeys({ parentSchema }: ErrorObject): string {
  const properties = (parentSchema as { properties?: object } | undefined)?.properties
  return properties ? `; known are ${Object.keys(properties).join(', ')}` : ''
}

/** URLs are joined with paths that begin with a slash; a control surface keeps its own. */
function withoutTrailingSlashes(targets: Targets): Targets {
  const trim = (url: string) => url.replace(/\/+$/, '')
  const { registry, storage, gateway, graphql } = targets
  return {
    ...targets,
    ...(registry && {
      registry: {
        ...registry,
        url: trim(registry.url),
        ...(registry.instances && { instances: registry.instances.map(trim) }),
      },
    }),
    ...(storage && { storage: { ...storage, url: trim(storage.url) } }),
    ...(gateway && { gateway: { ...gateway, url: trim(gateway.url) } }),
    ...(graphql && { graphql: { ...graphql, url: trim(graphql.url) } }),
  }
}
