import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A document that is not what its schema describes. The message names each wrong place as a JSON pointer. */
export class InvalidReport extends Error {
  readonly code = 'ERR_INVALID_REPORT'
  /** One sentence for each defect, the JSON pointer first. */
  readonly defects: readonly string[]

  constructor(what: string, defects: readonly string[]) {
    super(`This is not a valid ${what}: ${defects.join('; ')}.`)
    this.name = 'InvalidReport'
    this.defects = defects
  }
}

const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictRequired: false })
addFormats.default(ajv)

/** A check that gives a value back as what the schema describes, or throws `InvalidReport`. */
export function schemaCheck<T>(schema: object, what: string): (value: unknown) => T {
  const matches = ajv.compile<T>(schema)
  return (value) => {
    if (matches(value)) return value
    throw new InvalidReport(what, sentences(matches.errors ?? []))
  }
}

const shown = 5

function sentences(errors: readonly ErrorObject[]): string[] {
  // An `if` that failed only says that its `then` failed, which is an error of its own.
  const defects = errors.filter(({ keyword }) => keyword !== 'if').map(sentence)
  const more = defects.length - shown
  return more > 0 ? [...defects.slice(0, shown), `and ${more} more`] : defects
}

function sentence({ instancePath, keyword, message = '', params }: ErrorObject): string {
  const place = instancePath === '' ? 'the document' : instancePath
  if (keyword === 'additionalProperties')
    return `${place} has an unknown member ${JSON.stringify(params['additionalProperty'])}`
  if (keyword === 'const') return `${place} must be ${JSON.stringify(params['allowedValue'])}`
  if (keyword === 'enum') return `${place} must be one of ${params['allowedValues'].join(', ')}`
  return `${place} ${message}`
}
