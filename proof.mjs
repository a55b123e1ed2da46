/**
 * Tries every fault and every variation, and records what came of it where the reports take it from: reports/proof/.
 * Records nothing when the proof is not sound.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'assay-proof-'))
const [data, page] = ['matrix.json', 'matrix.html'].map((name) => join(folder, name))
const main = join(root, 'dist', 'harness', 'cli', 'main.js')
try {
  const reports = ['--report', `json=${data}`, '--report', `html=${page}`]
  const { status } = spawnSync(process.execPath, [main, 'prove', ...reports], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
  if (status === 0) record(JSON.parse(readFileSync(data, 'utf8')))
} finally {
  rmSync(folder, { recursive: true })
}

function record({ startedAt, summary, faultsDigest }) {
  const { faults, variations, falseAlarms } = summary
  const proof = { provedAt: startedAt, faults, variations, falseAlarms, faultsDigest }
  writeFileSync(join(root, 'reports', 'proof', 'proof.json'), `${JSON.stringify(proof, null, 2)}\n`)
  copyFileSync(page, join(root, 'reports', 'proof', 'matrix.html'))
}
