import type { PlatformSeed } from '../../mocks/graphql/seed.ts'
import { UsageError } from '../errors.ts'

/** What a file wants the platform API to have from the start. Throws `UsageError` that names the place in it. */
export async function readPlatformSeed(file: string): Promise<PlatformSeed> {
  // A start without a seed loads none of this.
  const { parsePlatformSeed } = await import('../../mocks/graphql/parse-seed.ts')
  const { PlatformSeedError } = await import('../../mocks/graphql/seed.ts')
  const { readFile } = await import('./plan.ts')
  const text = readFile(file)
  try {
    return parsePlatformSeed(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`--seed: ${file} is not JSON: ${error.message}`)
    if (error instanceof PlatformSeedError) throw new UsageError(`--seed: ${file}: ${error.message}`)
    throw error
  }
}
