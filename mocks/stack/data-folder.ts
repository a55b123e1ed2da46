import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { StackError } from './error.ts'

export interface DataFolder {
  readonly path: string
  /** Removes the folder where it is a temporary one. */
  release(): Promise<void>
}

/** Opens the folder given, made where it is missing, or a new temporary one. */
export async function openDataFolder(given: string | undefined): Promise<DataFolder> {
  if (given === undefined) {
    const path = await mkdtemp(join(tmpdir(), 'assay-'))
    return { path, release: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
  }
  const path = resolve(given)
  await mkdir(path, { recursive: true }).catch((error: Error) => {
    throw new StackError('ERR_DATA_FOLDER', 'data', `${path} cannot be used: ${error.message}`, error)
  })
  return { path, release: async () => {} }
}
