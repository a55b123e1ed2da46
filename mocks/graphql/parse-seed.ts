import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type PlatformSeed, PlatformSeedError } from './seed.ts'

/** Checks a seed that comes from outside, such as a file. Throws `PlatformSeedError`. */
export function parsePlatformSeed(document: unknown): PlatformSeed {
  const schema = JSON.parse(readFileSync(new URL('./seed.schema.json', import.meta.url), 'utf8'))
  const validate = new Ajv2020({ allErrors: true }).compile<PlatformSeed>(schema)
  if (validate(document)) return document
  const faults = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const key = 'additionalProperty' in params ? `: "${params['additionalProperty']}"` : ''
    return `${instancePath || '/'} ${message}${key}`
  })
  throw new PlatformSeedError(`The seed of the platform API is not valid: ${faults.join('; ')}`)
}
