import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { UsageError } from './errors.ts'
import type { RequirementResult } from './report.ts'

/** A failure that is known: why it is accepted, and until which day. */
export interface KnownFailure {
  readonly id: string
  readonly reason: string
  /** YYYY-MM-DD; from the day after, the failure counts again. */
  readonly expires: string
}

const schema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'reason', 'expires'],
    additionalProperties: false,
    properties: {
      id: { type: 'string', minLength: 1 },
      reason: { type: 'string', minLength: 1 },
      expires: { type: 'string', format: 'date' },
    },
  },
}

/** Reads a baseline. Throws `UsageError` that names the entry. */
export function parseBaseline(text: string, origin: string): readonly KnownFailure[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${origin} is not JSON: ${(error as Error).message}`)
  }
  const ajv = new Ajv2020()
  addFormats.default(ajv)
  const validate = ajv.compile<readonly KnownFailure[]>(schema)
  if (validate(value)) return value
  const error = validate.errors?.[0]
  const rule = 'a baseline is a list of {"id", "reason", "expires": "YYYY-MM-DD"}'
  throw new UsageError(`${origin}: ${error?.instancePath || '/'} ${error?.message}; ${rule}`)
}

export interface Excused {
  readonly results: readonly RequirementResult[]
  /** Sentences for the user: entries that hold now, that have expired, that name nothing. */
  readonly remarks: readonly string[]
}

/** Marks what the baseline names: failures that it excuses, and what holds by now. */
export function applyBaseline(
  results: readonly RequirementResult[],
  baseline: readonly KnownFailure[],
  today: string,
): Excused {
  const remarks: string[] = []
  const known = new Map<string, KnownFailure>()
  for (const entry of baseline) {
    const result = results.find(({ id }) => id === entry.id)
    if (!result) remarks.push(`the baseline names ${entry.id}, which is no requirement`)
    else if (entry.expires < today)
      remarks.push(`the baseline's entry for ${entry.id} expired on ${entry.expires}`)
    else known.set(entry.id, entry)
    if (result?.verdict === 'holds') remarks.push(`${entry.id} holds now: take it out of the baseline`)
  }
  const judged = ({ verdict }: RequirementResult) => verdict !== 'error' && verdict !== 'not-verified'
  return {
    remarks,
    results: results.map((result) => {
      const entry = judged(result) ? known.get(result.id) : undefined
      return entry ? { ...result, baseline: { reason: entry.reason, expires: entry.expires } } : result
    }),
  }
}
