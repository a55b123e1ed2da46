/**
 * The same verdicts in every order: shuffled, one at a time, sixteen side by side, in shards, and each requirement alone.
 *
 * node stress/orders.mjs [--registry URL] [--alone N|all]
 *
 * Without a registry the embedded stack is judged. `--alone` says how many requirements are judged in a run of their
 * own (40 unless told; all of them take a quarter of an hour). Every run has the same seed on the same target, and
 * removes what it made, so that the next one begins where this one did.
 */
import { parseArgs } from 'node:util'
import { run } from '../dist/harness/cli/index.js'
import { startStack } from '../dist/harness/cli/mocks.js'

const { values } = parseArgs({
  options: { registry: { type: 'string' }, alone: { type: 'string', default: '40' } },
})
const seed = 7
const shards = 3

const stack = values.registry ? undefined : await startStack({ instances: 2 })
const targets = stack?.targets ?? { registry: { url: values.registry } }
let differences = 0
/** What the last run said of each requirement. */
const reasons = new Map()

/** What a run says of each requirement that it did not leave out. */
async function verdicts(options) {
  const report = await run(targets, { seed, ...options })
  const judged = report.requirements.filter(({ cause }) => cause !== 'left-out')
  for (const { id, reason } of judged) reasons.set(id, reason)
  return new Map(judged.map(({ id, verdict, cause }) => [id, cause ? `${verdict} (${cause})` : verdict]))
}

function compare(name, expected, seen) {
  const different = [...seen].filter(([id, verdict]) => expected.get(id) !== verdict)
  const missing = [...expected.keys()].filter((id) => !seen.has(id))
  differences += different.length + missing.length
  console.log(`${name.padEnd(22)} ${seen.size} judged, ${different.length + missing.length} different`)
  for (const [id, verdict] of different)
    console.log(`  ${id}: ${verdict}, not ${expected.get(id)}: ${reasons.get(id)}`)
  for (const id of missing) console.log(`  ${id}: not judged`)
}

async function sharded() {
  const all = new Map()
  for (let index = 1; index <= shards; index += 1) {
    for (const [id, verdict] of await verdicts({ shard: { index, count: shards } })) all.set(id, verdict)
  }
  return all
}

/** Evenly chosen among those that were verified. */
function chosen(expected) {
  const verified = [...expected]
    .filter(([, verdict]) => !verdict.startsWith('not-verified'))
    .map(([id]) => id)
  if (values.alone === 'all') return verified
  const step = Math.max(1, verified.length / Number(values.alone))
  return verified.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
}

try {
  const expected = await verdicts({})
  console.log(`${'as usual'.padEnd(22)} ${expected.size} judged`)
  compare('again', expected, await verdicts({}))
  for (const shuffle of [1, 2]) compare(`shuffled by ${shuffle}`, expected, await verdicts({ shuffle }))
  for (const concurrency of [1, 16])
    compare(`concurrency ${concurrency}`, expected, await verdicts({ concurrency }))
  compare(`${shards} shards`, expected, await sharded())
  const alone = new Map()
  for (const id of chosen(expected)) {
    for (const [one, verdict] of await verdicts({ only: [id] })) alone.set(one, verdict)
  }
  compare('each alone', new Map([...expected].filter(([id]) => alone.has(id))), alone)
} finally {
  await stack?.close()
}
console.log(differences === 0 ? 'the same verdicts in every order' : `${differences} verdicts differ`)
process.exitCode = differences === 0 ? 0 : 1
