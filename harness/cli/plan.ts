import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dockerCredentials } from '../docker-config.ts'
import { UsageError } from '../errors.ts'
import { nameFrom, plainName } from '../names.ts'
import type { Level } from '../requirement.ts'
import type { AccountCredentials, RegistryTarget, Targets } from '../target.ts'
import type { RunPlan } from './conduct.ts'
import type { TestFlags } from './test-options.ts'

const anyNamespace = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/
const largestSeed = 2 ** 31

/** The flags that say where targets are, and as whom they are used. */
export type TargetFlags = Pick<
  TestFlags,
  | 'registry'
  | 'storage'
  | 'gateway'
  | 'graphql'
  | 'targets'
  | 'username'
  | 'password'
  | 'token'
  | 'graphqlToken'
>

/** The targets that flags and target file name, with their credentials; `undefined` when they name none. Throws `UsageError`. */
export async function namedTargets(flags: TargetFlags): Promise<Targets | undefined> {
  const file = flags.targets === undefined ? {} : await targetFile(flags.targets)
  const { registry, storage, gateway, graphql } = flags
  const targets: Targets = {
    ...file,
    ...(registry !== undefined && { registry: { ...file.registry, url: registry } }),
    ...(storage !== undefined && { storage: { ...file.storage, url: storage } }),
    ...(gateway !== undefined && { gateway: { ...file.gateway, url: gateway } }),
    ...(graphql !== undefined && { graphql: { ...file.graphql, url: graphql } }),
  }
  if (!targets.registry && !targets.storage && !targets.gateway && !targets.graphql) {
    if (flags.targets === undefined) return undefined
    throw new UsageError(
      `${label(flags.targets)} names no target: give at least one of registry, storage, gateway, graphql`,
    )
  }
  return withCredentials(targets, flags)
}

async function targetFile(path: string): Promise<Targets> {
  const text = readFile(path)
  // Few runs have one, and what checks it takes its time to load.
  const { parseTargets } = await import('../target-file.ts')
  return parseTargets(text, label(path))
}

const label = (file: string) => (file === '-' ? 'standard input' : file)

/** The text of a file that a flag names; `-` is standard input. Throws `UsageError`. */
export function readFile(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${label(file)}: ${(error as Error).message}`)
  }
}

/** The targets with the credentials that flags, target file or Docker give for them. Throws `UsageError`. */
export async function withCredentials(targets: Targets, flags: TargetFlags): Promise<Targets> {
  const { graphqlToken } = flags
  const { registry, graphql } = targets
  return {
    ...targets,
    ...(registry && { registry: await withRegistryCredentials(registry, flags) }),
    ...(graphql &&
      graphqlToken !== undefined && {
        graphql: { ...graphql, tokens: { ...graphql.tokens, valid: graphqlToken } },
      }),
  }
}

async function withRegistryCredentials(
  registry: RegistryTarget,
  flags: TargetFlags,
): Promise<RegistryTarget> {
  const { username, password, token } = flags
  if ((username === undefined) !== (password === undefined)) {
    throw new UsageError('--username and --password belong together: give both or neither')
  }
  if (token !== undefined) return { ...registry, token }
  if (username !== undefined && password !== undefined) return withOwner(registry, { username, password })
  if (registry.accounts?.owner || registry.token) return registry
  const kept = await dockerCredentials(registry.url)
  return kept ? withOwner(registry, kept) : registry
}

const withOwner = (registry: RegistryTarget, owner: AccountCredentials): RegistryTarget => ({
  ...registry,
  accounts: { ...registry.accounts, owner },
})

/** Fills in every default. Throws `UsageError`. */
export function planRun(targets: Targets, flags: TestFlags, command: string): RunPlan {
  const seed = flags.seed ?? randomInt(largestSeed)
  const onlyRegistry = !targets.storage && !targets.gateway && !targets.graphql
  return {
    targets,
    seed,
    namespace: `${namespaceOf(targets, flags)}/${nameFrom(seed, 'run')}`,
    ...(isNamed(targets, flags) ? {} : { elsewhere: plainName(seed, 'elsewhere') }),
    selection: {
      profile: flags.profile ?? (onlyRegistry ? 'oci' : 'service'),
      spec: flags.spec,
      only: flags.only,
      skip: flags.skip,
      level: flags.level.toUpperCase() as Level,
      ...(flags.shard && { shard: flags.shard }),
    },
    timeoutMs: flags.timeout * 1000,
    readOnly: flags.readOnly ?? false,
    judging: {
      ...(flags.strict && { strict: true }),
      ...(flags.maxNotVerified !== undefined && { maxNotVerified: flags.maxNotVerified }),
    },
    command: `${command} --seed ${seed}`,
    ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
    ...(flags.ca !== undefined && { ca: readFile(flags.ca) }),
    ...(flags.insecure && { insecure: true }),
  }
}

const isNamed = ({ registry }: Targets, { namespace }: TestFlags) =>
  (namespace ?? registry?.namespace) !== undefined

function namespaceOf({ registry }: Targets, { namespace }: TestFlags): string {
  const name = namespace ?? registry?.namespace ?? 'assay'
  if (anyNamespace.test(name)) return name
  throw new UsageError(
    `the namespace "${name}" is no repository name: lower-case letters and digits, separated by . _ __ - and /`,
  )
}
