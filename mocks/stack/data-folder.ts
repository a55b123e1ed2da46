import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { StackError } from './error.ts'

export interface DataFolder {
  readonly path: string
  /** Removes the folder where it is a temporary one. */
  release(): Promise<void>
}

/** Temporary folders in use; a process that ends without closing its stacks removes them on its way out. */
const temporary = new Set<string>()
let watched = false

function removeAtExit(path: string): void {
  temporary.add(path)
  if (watched) return
  watched = true
  process.once('exit', () => {
    for (const left of temporary) rmSync(left, { recursive: true, force: true })
  })
}

/** Opens the folder given, made where it is missing, or a new temporary one. */
export async function openDataFolder(given: string | undefined): Promise<DataFolder> {
  if (given === undefined) {
    const path = await mkdtemp(join(tmpdir(), 'assay-'))
    removeAtExit(path)
    return {
      path,
      async release() {
        await rm(path, { recursive: true, force: true, maxRetries: 3 })
        temporary.delete(path)
      },
    }
  }
  const path = resolve(given)
  await mkdir(path, { recursive: true }).catch((error: Error) => {
    throw new StackError('ERR_DATA_FOLDER', 'data', `${path} cannot be used: ${error.message}`, error)
  })
  return { path, release: async () => {} }
}
