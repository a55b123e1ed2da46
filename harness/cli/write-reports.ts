import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { html } from '../../reports/html.ts'
import { json } from '../../reports/json.ts'
import { junit } from '../../reports/junit.ts'
import { markdown } from '../../reports/markdown.ts'
import { suiteProof } from '../../reports/proof/proof.ts'
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

type Renderers = Readonly<Partial<Record<ReportFormat, () => string>>> & {
  /** The page that shows what the suites were proved to catch is put beside an HTML report. */
  readonly matrix?: boolean
}

/** How a run is rendered in each format. */
export function renderers(report: Report, strict: boolean): Renderers {
  // A saved run may be of another version, whose page is not at hand.
  const matrix = report.proof?.provedAt === suiteProof.provedAt
  return {
    matrix,
    json: () => json(report),
    junit: () => junit(report, { strict }),
    html: () => html(report, matrix ? { matrix: matrixName } : {}),
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
      if (render.matrix && format === 'html' && basename(path) !== matrixName) {
        await copyFile(matrixPage, join(dirname(path), matrixName))
      }
      paths.push(path)
    } catch (error) {
      failures.push(`the ${format} report could not be written to ${path}: ${(error as Error).message}`)
    }
  }
  return { paths, failures }
}
