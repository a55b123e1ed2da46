import type { Report } from '../harness/report.ts'
import { validate } from './validate.ts'

/** The report as JSON text. Throws `InvalidReport` rather than give out what `report.schema.json` does not describe. */
export function json(report: Report): string {
  return `${JSON.stringify(validate(report), null, 2)}\n`
}
