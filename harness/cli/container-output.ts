import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const kept = 20

/** What the containers of a stack printed last, for the error of a start that failed. */
export interface ContainerOutput {
  /** Reads what the container of this name prints, for as long as it runs. */
  read(name: string, output: Readable): void
  /** The last lines of each container that printed some. Secrets are taken out. */
  describe(): string
}

/** `secrets` are the values that no message may carry. */
export function createContainerOutput(secrets: readonly string[]): ContainerOutput {
  const printed = new Map<string, string[]>()
  return {
    read(name, output) {
      const lines = printed.get(name) ?? []
      printed.set(name, lines)
      createInterface({ input: output }).on('line', (line) => {
        lines.push(isTargetObject(line) ? '(the target object)' : line)
        if (lines.length > kept) lines.shift()
      })
    },
    describe() {
      const spoken = [...printed].filter(([, lines]) => lines.length > 0)
      const parts = spoken.map(([name, lines]) => [`${name} printed:`, ...lines].join('\n  '))
      return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), parts.join('\n'))
    },
  }
}

/** It has the logins and the keys of the registry. */
const isTargetObject = (line: string) => line.includes('"signingKey"')
