import { PrerequisiteFailure } from '../harness/errors.ts'
import { Finding } from '../harness/finding.ts'

/** Reads what a requirement builds on but does not speak of: where it cannot be read, the requirement was not verified. */
export function step<T>(name: string, reading: () => T): T {
  try {
    return reading()
  } catch (error) {
    if (error instanceof Finding) throw new PrerequisiteFailure(`${name}: ${error.message}`)
    throw error
  }
}
