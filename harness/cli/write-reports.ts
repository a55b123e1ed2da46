import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { html } from '../../reports/html.ts'
import { json } from '../../reports/json.ts'
import { junit } from '../../reports/junit.ts'
import { markdown } from '../../reports/markdown.ts'
import type { Report } from '../report.ts'
import type { ReportFormat, ReportRequest } from './test-options.ts'

const defaultReports: readonly ReportRequest[] = [
  { format: 'json', path: join('assay-report', 'report.json') },
  { format: 'html', path: join('assay-report', 'report.html') },
]

export interface WrittenReports {
  readonly paths: readonly string[]
  /** One sentence for each that could not be written. */
  readonly failures: readonly string[]
}

type Renderers = Readonly<Partial<Record<ReportFormat, () => string>>>

/** How a run is rendered in each format. */
export function renderers(report: Report, strict: boolean): Renderers {
  return {
    json: () => json(report),
    junit: () => junit(report, { strict }),
    html: () => html(report),
    markdown: () => markdown(report),
  }
}

/** Writes what was asked for, or the default. */
export function writeReports(
  report: Report,
  asked: readonly ReportRequest[],
  strict: boolean,
): Promise<WrittenReports> {
  return writeAll(asked.length > 0 ? asked : defaultReports, renderers(report, strict))
}

/** Writes each file; one that fails does not keep the others from being written. */
export async function writeAll(asked: readonly ReportRequest[], render: Renderers): Promise<WrittenReports> {
  const paths: string[] = []
  const failures: string[] = []
  for (const { format, path } of asked) {
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, render[format]?.() ?? '')
      paths.push(path)
    } catch (error) {
      failures.push(`the ${format} report could not be written to ${path}: ${(error as Error).message}`)
    }
  }
  return { paths, failures }
}
