import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

/** Lies beside each HTML report, which links to it. */
const matrixName = 'matrix.html'
const matrixPage = fileURLToPath(new URL(`../../reports/proof/${matrixName}`, import.meta.url))

export interface WrittenReports {
  readonly paths: readonly string[]
  /** One sentence for each that could not be written. */
  readonly failures: readonly string[]
}

/** Writes what was asked for, or the default; one that fails does not keep the others from being written. */
export async function writeReports(
  report: Report,
  asked: readonly ReportRequest[],
  strict: boolean,
): Promise<WrittenReports> {
  const render: Readonly<Record<ReportFormat, () => string>> = {
    json: () => json(report),
    junit: () => junit(report, { strict }),
    html: () => html(report, { matrix: matrixName }),
    markdown: () => markdown(report),
  }
  const paths: string[] = []
  const failures: string[] = []
  for (const { format, path } of asked.length > 0 ? asked : defaultReports) {
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, render[format]())
      if (format === 'html' && basename(path) !== matrixName) {
        await copyFile(matrixPage, join(dirname(path), matrixName))
      }
      paths.push(path)
    } catch (error) {
      failures.push(`the ${format} report could not be written to ${path}: ${(error as Error).message}`)
    }
  }
  return { paths, failures }
}
