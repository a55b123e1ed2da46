/**
 * Judges one registry many times and compares the verdicts: what a suite says must not depend on the day.
 *
 *   node stress/same-verdicts.mjs URL [RUNS, 10] [--one-seed]
 *
 * Each run has a seed of its own, unless --one-seed is given; then the registry has to forget in between, or each run
 * meets what the last one left.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const oneSeed = process.argv.includes('--one-seed')
const [url, runs = '10'] = process.argv.slice(2).filter((word) => word !== '--one-seed')
if (!url) {
  console.error('usage: node stress/same-verdicts.mjs URL [RUNS] [--one-seed]')
  process.exit(2)
}
const main = fileURLToPath(new URL('../dist/harness/cli/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'assay-same-'))

function judge(seed) {
  const options = [
    '--registry',
    url,
    '--profile',
    'oci',
    '--seed',
    String(seed),
    '--report',
    'json=report.json',
  ]
  const child = spawn(process.execPath, [main, 'test', ...options], { cwd: folder, stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => {
      const { requirements } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
      resolve(new Map(requirements.map(({ id, verdict, reason }) => [id, { verdict, reason }])))
    })
  })
}

let differences = 0
try {
  const first = await judge(1)
  const counts = new Map()
  for (const { verdict } of first.values()) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  console.log([...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', '))
  for (let run = 2; run <= Number(runs); run += 1) {
    const next = await judge(oneSeed ? 1 : run)
    for (const [id, { verdict, reason }] of next) {
      const before = first.get(id)
      if (before.verdict === verdict) continue
      differences += 1
      console.log(
        `run ${run}: ${id} was ${before.verdict} and is ${verdict}: ${reason}; before: ${before.reason}`,
      )
    }
    console.log(`run ${run} of ${runs}: ${next.size} verdicts compared`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1
