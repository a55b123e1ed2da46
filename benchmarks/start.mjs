/**
 * How long `assay serve` takes from the start of `node` until registry, storage node, gateway and platform API have each
 * answered a request. The median of several starts is printed.
 *
 *   npm run build && node benchmarks/start.mjs [TIMES, 7 unless told]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const times = Number(process.argv[2] ?? 7)
const main = fileURLToPath(new URL('../dist/harness/cli/main.js', import.meta.url))
const ports = ['registry', 'storage', 'gateway', 'graphql'].flatMap((name) => [`--${name}-port`, '0'])

async function start() {
  const since = performance.now()
  const child = spawn(process.execPath, [main, 'serve', '--json', ...ports], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { registry, storage, gateway, graphql } = JSON.parse(line)
  const query = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{__typename}"}',
  }
  const answers = await Promise.all([
    fetch(`${registry.url}/v2/`),
    fetch(`${storage.url}/api/v0/id`, { method: 'POST' }),
    fetch(`${gateway.url}/${gateway.prefix}/QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn`),
    fetch(graphql.url, query),
  ])
  const took = performance.now() - since
  if (answers.some(({ status }) => status >= 500)) throw new Error('a service failed')
  child.kill()
  await once(child, 'exit')
  return took
}

const took = []
for (let time = 0; time < times; time += 1) took.push(await start())
const sorted = took.toSorted((one, other) => one - other)
console.log(
  `all four answer after ${sorted[times >> 1].toFixed(0)} ms (${sorted[0].toFixed(0)} to ${sorted.at(-1).toFixed(0)})`,
)
