import { Argument, Command } from 'commander'
import type { Fault } from '../../mocks/control/fault.ts'
import type { StackOptions } from '../../mocks/stack/options.ts'
import { watchForEnd } from './ending.ts'
import { readPlatformSeed } from './platform-seed.ts'
import { banner } from './serve-banner.ts'
import { readEnvironment } from './serve-environment.ts'
import { explainStartFailure } from './serve-failure.ts'
import { type ServeFlags, serveOptions } from './serve-options.ts'

const afterHelp = `
Environment, for the registry (flags win):
  REGISTRY_DB_HOST              HOST or HOST:PORT of PostgreSQL (user postgres, database open_registry)
  REGISTRY_DB_PASSWORD          its password
  REGISTRY_DFS_STORAGE_API_URL  as --storage-url
  REGISTRY_SIGNING_SECRET       at least 32 characters; the logins follow from it; otherwise one is made
  REGISTRY_DOMAIN               what iss and aud of the tokens are; the realm is then https://DOMAIN/token
  ASSAY_CONTROL_TOKEN           opens /_mock/ to clients beyond loopback that send it as a Bearer token
`

type Services = NonNullable<StackOptions['services']>

/** The command `assay serve`. */
export function serveCommand(loadFaults: () => Promise<readonly Fault[]>): Command {
  const services = new Argument(
    '[services...]',
    'what to start; all by default, storage includes the gateway',
  )
  const command = new Command('serve')
    .description('start the mocks and keep them running')
    .addArgument(services.choices(['registry', 'storage', 'graphql']))
    .addHelpText('after', afterHelp)
    .action(async (named: Services, flags: ServeFlags) => {
      process.exitCode = await serve(named, flags, loadFaults)
    })
  for (const option of serveOptions) command.addOption(option)
  return command
}

/** Serves until it is told to end, and returns the exit code. */
async function serve(
  named: Services,
  flags: ServeFlags,
  faults: () => Promise<readonly Fault[]>,
): Promise<number> {
  const { ended, again } = watchForEnd()
  const options = stackOptions(named, flags)
  const seed = flags.seed === undefined ? {} : { seed: await readPlatformSeed(flags.seed) }
  const { startStack } = await import('../../mocks/stack.ts')
  const stack = await startStack({
    ...options,
    ...seed,
    faults,
    log: (line) => process.stderr.write(`${line}\n`),
  }).catch((error: unknown) => {
    throw explainStartFailure(error)
  })
  const { targets } = stack
  if (!/^(localhost|127\..*|::1)$/.test(flags.host)) {
    process.stderr.write(
      `bound to ${flags.host}: other machines reach these services; /_mock/ answers to this one only\n`,
    )
  }
  process.stdout.write(flags.json ? `${JSON.stringify(targets)}\n` : banner(targets, performance.now()))
  const { exitCode, graceMs } = await ended
  again(() => void stack.close())
  await stack.close(graceMs)
  return exitCode
}

function stackOptions(named: Services, flags: ServeFlags): StackOptions {
  const environment = readEnvironment(process.env, named.length === 0 || named.includes('registry'))
  const { registryPort: registry, storagePort: storage, gatewayPort: gateway, graphqlPort: graphql } = flags
  const { host, database, storageUrl, data, instances, open, sparse, extensions, fault } = flags
  return {
    ...environment,
    ...(named.length > 0 && { services: named }),
    ports: { registry, storage, gateway, graphql },
    host,
    instances,
    active: fault,
    ...(database !== undefined && { database }),
    ...(storageUrl !== undefined && { storageUrl }),
    ...(data !== undefined && { data }),
    ...(open !== undefined && { open }),
    ...(sparse !== undefined && { sparse }),
    ...(extensions !== undefined && { extensions }),
  }
}
