import { comparedHtml } from '../../reports/comparison/html.ts'
import { comparedMarkdown } from '../../reports/comparison/markdown.ts'
import { comparedTerminal } from '../../reports/comparison/terminal.ts'
import { type Comparison, compare } from '../../reports/comparison.ts'
import { InvalidReport } from '../../reports/schema-check.ts'
import { terminal } from '../../reports/terminal.ts'
import { validate } from '../../reports/validate.ts'
import { UsageError } from '../errors.ts'
import type { Report } from '../report.ts'
import { wantsColour } from './colour.ts'
import { exits } from './exit.ts'
import { readFile } from './plan.ts'
import type { ReportRequest } from './test-options.ts'
import { renderers, type WrittenReports, writeAll } from './write-reports.ts'

export interface ReportFlags {
  readonly report: readonly ReportRequest[]
  readonly strict?: true
}

/** Renders one saved run, or compares several. Returns the exit code; throws `UsageError`. */
export async function report(files: readonly string[], flags: ReportFlags): Promise<number> {
  const [first, ...others] = files.map(read)
  if (!first) throw new UsageError('name at least one report')
  return others.length === 0 ? renderOne(first, flags) : compareAll(compare([first, ...others]), flags)
}

function read(file: string): Report {
  const text = readFile(file)
  try {
    return validate(JSON.parse(text))
  } catch (error) {
    if (error instanceof InvalidReport || error instanceof SyntaxError) {
      throw new UsageError(`${file} is no report of Assay: ${error.message}`)
    }
    throw error
  }
}

async function renderOne(saved: Report, { report: asked, strict }: ReportFlags): Promise<number> {
  const options = { colour: wantsColour(process.stdout), width: process.stdout.columns ?? 100 }
  if (asked.length > 0) return said(await writeAll(asked, renderers(saved, strict ?? false)))
  process.stdout.write(terminal(saved, options))
  return 0
}

async function compareAll(comparison: Comparison, { report: asked }: ReportFlags): Promise<number> {
  const render = {
    html: () => comparedHtml(comparison),
    markdown: () => comparedMarkdown(comparison),
  }
  const other = asked.find(({ format }) => !(format in render))
  if (other) throw new UsageError(`a comparison is written as html or markdown, not as ${other.format}`)
  const options = { colour: wantsColour(process.stdout), width: process.stdout.columns ?? 100 }
  process.stdout.write(comparedTerminal(comparison, options))
  const code = said(await writeAll(asked, render))
  if (code !== 0) return code
  return (comparison.changes?.broken.length ?? 0) > 0 ? exits.nonConformant : 0
}

function said({ paths, failures }: WrittenReports): number {
  for (const path of paths) process.stderr.write(`→ ${path}\n`)
  for (const failure of failures) process.stderr.write(`Assay itself failed. ${failure}\n`)
  return failures.length > 0 ? exits.broken : 0
}
