import type { PlatformSeed } from '../../mocks/graphql/seed.ts'
import { UsageError } from '../errors.ts'
import { readFile } from './plan.ts'

/** What a file wants the platform API to have from the start. Throws `UsageError` that names the place in it. */
export async function readPlatformSeed(file: string): Promise<PlatformSeed> {
  const { parsePlatformSeed, PlatformSeedError } = await import('../../mocks/graphql/seed.ts')
  const text = readFile(file)
  try {
    return parsePlatformSeed(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`--seed: ${file} is not JSON: ${error.message}`)
    if (error instanceof PlatformSeedError) throw new UsageError(`--seed: ${file}: ${error.message}`)
    throw error
  }
}
