import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Targets } from '../../mocks/stack/targets.ts'

type RegistryTarget = NonNullable<Targets['registry']>

/**
 * Reads what a container with `assay serve registry --json` prints, for as long as it runs: its log goes to the file
 * `logs`. Resolves to the registry as it describes itself, with the address that it has inside the container.
 */
export function readRegistryOutput(output: Readable, logs: string): Promise<RegistryTarget> {
  const log = createWriteStream(logs, { flags: 'a', mode: 0o600 })
  // A full disk takes the log, not the stack.
  log.on('error', () => undefined)
  const lines = createInterface({ input: output })
  lines.once('close', () => log.end())
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const printed = parse(line)
      if (isTargets(printed)) resolve(printed.registry)
      else if (printed) log.write(`${line}\n`)
    })
  })
}

function parse(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** An event of the log has a `repository`, and no `registry`. */
const isTargets = (printed: object | undefined): printed is { readonly registry: RegistryTarget } =>
  printed !== undefined && 'registry' in printed
