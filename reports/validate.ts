import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Report } from '../harness/report.ts'
import schema from './report.schema.json' with { type: 'json' }

/** A report that is not what `report.schema.json` describes. The message names each wrong place as a JSON pointer. */
export class InvalidReport extends Error {
  readonly code = 'ERR_INVALID_REPORT'
  /** One sentence for each defect, the JSON pointer first. */
  readonly defects: readonly string[]

  constructor(defects: readonly string[]) {
    super(`This is not a valid report: ${defects.join('; ')}.`)
    this.name = 'InvalidReport'
    this.defects = defects
  }
}

const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictRequired: false })
addFormats.default(ajv)
const matchesSchema = ajv.compile<Report>(schema)

/** The value as a report. Throws `InvalidReport` where it is none. */
export function validate(value: unknown): Report {
  if (!matchesSchema(value)) throw new InvalidReport(sentences(matchesSchema.errors ?? []))
  const repeated = repeatedIds(value)
  if (repeated.length > 0) throw new InvalidReport(repeated)
  return value
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

function repeatedIds({ requirements }: Report): string[] {
  const seen = new Set<string>()
  return requirements.flatMap(({ id }, index) => {
    if (seen.has(id)) return [`/requirements/${index}/id ${id} is there twice`]
    seen.add(id)
    return []
  })
}
