/** The npm package `testcontainers`, which is optional, is not installed; the message names the command. */
export class MissingTestcontainersError extends Error {
  readonly code = 'ERR_TESTCONTAINERS_MISSING'
  override readonly name = 'MissingTestcontainersError'
}

/** Imports `testcontainers`. Rejects with `MissingTestcontainersError` where it is not installed. */
export async function loadTestcontainers(
  load: () => Promise<typeof import('testcontainers')> = () => import('testcontainers'),
): Promise<typeof import('testcontainers')> {
  try {
    return await load()
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw new MissingTestcontainersError(
      'containers need the package testcontainers: npm install --save-dev testcontainers@11',
      { cause },
    )
  }
}

/** Not so for a package that is there and lacks one of its own. */
const isMissing = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes("'testcontainers'")
