/**
 * The registry suite and the OCI project's conformance tool against the same registries, in turn; medians.
 *
 *   OCI_CONFORMANCE=/path/to/conformance node benchmarks/registry-suite.mjs URL…
 *
 * ROUNDS (5) rounds. OCI_USERNAME and OCI_PASSWORD are given to both, and both write below NAMESPACE (assay). The tool is
 * run with OCI_VERSION=1.1 and its defaults. It does not tell when its first request goes out, so its whole process stands
 * for that too; it is up in a few hundredths of a second.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { OCI_CONFORMANCE: tool, ROUNDS = '5', NAMESPACE = 'assay', OCI_USERNAME, OCI_PASSWORD } = process.env
const login = OCI_USERNAME ? { ASSAY_USERNAME: OCI_USERNAME, ASSAY_PASSWORD: OCI_PASSWORD } : {}
const urls = process.argv.slice(2)
if (!tool || urls.length === 0) {
  console.error('usage: OCI_CONFORMANCE=/path/to/conformance node benchmarks/registry-suite.mjs URL…')
  process.exit(2)
}
const main = fileURLToPath(new URL('../dist/harness/cli/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'assay-benchmark-'))

/** Runs a program to its end, whatever it says; milliseconds. */
function timed(program, args, env = {}) {
  const start = performance.now()
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env }, stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(performance.now() - start))
  })
}

async function assay(url) {
  const seed = Date.now() % 2 ** 31
  const where = ['--registry', url, '--namespace', `${NAMESPACE}/${seed}`, '--seed', String(seed)]
  const reports = ['--report', 'json=report.json', '--report', 'html=report.html']
  const whole = await timed(process.execPath, [main, 'test', ...where, '--profile', 'oci', ...reports], login)
  const { durationMs, summary } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  const { holds, violated, deviates } = summary.byVerdict
  return { whole, suite: durationMs, verified: holds + violated + deviates }
}

async function conformance(url, round) {
  const repository = `${NAMESPACE}/tool-${Date.now().toString(36)}-${round}`
  return timed(tool, [], {
    OCI_REGISTRY: new URL(url).host,
    OCI_TLS: 'disabled',
    OCI_VERSION: '1.1',
    OCI_RESULTS_DIR: join(folder, 'results'),
    OCI_REPO1: `${repository}/one`,
    OCI_REPO2: `${repository}/two`,
  })
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`

try {
  for (const url of urls) {
    const ours = []
    const theirs = []
    for (let round = 0; round < Number(ROUNDS); round += 1) {
      theirs.push(await conformance(url, round))
      ours.push(await assay(url))
    }
    const of = (name) => median(ours.map((one) => one[name]))
    const [tools, suite, whole] = [median(theirs), of('suite'), of('whole')]
    console.log(
      [
        url,
        `tool ${seconds(tools)}`,
        `suite ${seconds(suite)}, first request to last`,
        `whole process ${seconds(whole)}`,
        `${of('verified')} requirements verified`,
      ].join(' · '),
    )
  }
  console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
