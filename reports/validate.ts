import type { Report } from '../harness/report.ts'
import schema from './report.schema.json' with { type: 'json' }
import { InvalidReport, schemaCheck } from './schema-check.ts'

const check = schemaCheck<Report>(schema, 'report')

/** The value as a report. Throws `InvalidReport` where it is none. */
export function validate(value: unknown): Report {
  const report = check(value)
  const repeated = repeatedIds(report)
  if (repeated.length > 0) throw new InvalidReport('report', repeated)
  return report
}

function repeatedIds({ requirements }: Report): string[] {
  const seen = new Set<string>()
  return requirements.flatMap(({ id }, index) => {
    if (seen.has(id)) return [`/requirements/${index}/id ${id} is there twice`]
    seen.add(id)
    return []
  })
}
