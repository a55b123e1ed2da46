import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, type TestContext, test } from 'vitest'
import { assay } from '../command.test-support.ts'
import { run } from '../program.test-support.ts'
import { held, needsDocker } from './docker.test-support.ts'

const file = fileURLToPath(new URL('../../../compose.yaml', import.meta.url))

/** Since this version a configuration's content may stand in the file itself. */
const [leastMajor, leastMinor] = [2, 23]

const storageLimits = [
  ['StorageMax', '100GB'],
  ['StorageGCWatermark', 90],
  ['GCPeriod', '1h'],
] as const

/** Skips the test with the reason where compose.yaml cannot be run. */
async function needsCompose(context: TestContext): Promise<Record<string, string>> {
  const { registry, ...images } = await needsDocker(context)
  const balancer = process.env['ASSAY_BALANCER_IMAGE']
  const told = await run('docker', ['compose', 'version', '--short']).catch(() => undefined)
  const [major = 0, minor = 0] = (told?.stdout ?? '').replace(/^v/, '').split('.').map(Number)
  const isNew = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  const missing = [
    ...(isNew ? [] : [`docker compose is ${told?.stdout.trim() ?? 'not installed'}, 2.23 is needed`]),
    ...(balancer === undefined ? ['haproxy is not installed (Debian package haproxy)'] : []),
  ].join('; ')
  const found = `Docker Compose ${told?.stdout.trim()}`
  context.task.meta.realPart = { name: 'Docker Compose', ...(missing ? { missing } : { found }) }
  context.skip(missing !== '', missing)
  return {
    REGISTRY_IMAGE: registry,
    POSTGRES_IMAGE: images.postgres ?? 'postgres:17',
    KUBO_IMAGE: images.kubo ?? 'ipfs/kubo:v0.42.0',
    BALANCER_IMAGE: balancer ?? 'haproxy:3.2',
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

test('compose.yaml: three registries behind a load balancer, conformant through it, with one of them killed too', async (context) => {
  const images = await needsCompose(context)
  const before = await held()
  const [registry, gateway, swarm] = [await freePort(), await freePort(), await freePort()]
  const password = randomBytes(16).toString('hex')
  const env = {
    ...process.env,
    ...images,
    REGISTRY_PORT: `${registry}`,
    GATEWAY_PORT: `${gateway}`,
    SWARM_PORT: `${swarm}`,
    POSTGRES_PASSWORD: password,
    REGISTRY_DB_PASSWORD: password,
    REGISTRY_SIGNING_SECRET: randomBytes(32).toString('hex'),
  }
  const project = `assay-test-${randomBytes(4).toString('hex')}`
  const compose = (...args: readonly string[]) =>
    run('docker', ['compose', '--file', file, '--project-name', project, ...args], { env })
  const judge = async (only: string) => {
    const { stdout } = await compose('logs', '--no-log-prefix', 'registry')
    const ASSAY_PASSWORD = /^ +owner +(\S+)/m.exec(stdout)?.[1] ?? ''
    const target = ['--registry', `http://127.0.0.1:${registry}`, '--username', 'owner', '--only', only]
    return assay(['test', ...target, '--report', 'json=/dev/null'], { env: { ASSAY_PASSWORD } })
  }
  try {
    await compose('up', '--detach', '--no-build', '--wait')
    const published = await compose('ps', '--format', '{{.Service}} {{.Ports}}')
    expect(published.stdout).not.toMatch(/:(5001|5432)->/)
    expect(published.stdout.match(/^registry /gm)).toHaveLength(3)
    for (const [key, value] of storageLimits) {
      const asked = `http://127.0.0.1:5001/api/v0/config?arg=Datastore.${key}`
      const answer = await compose('exec', '-T', 'ipfs', 'wget', '-q', '-O', '-', '--post-data=', asked)
      expect(JSON.parse(answer.stdout)).toEqual({ Key: `Datastore.${key}`, Value: value })
    }
    const whole = await judge('oci.*')
    expect(whole.code, whole.stdout + whole.stderr).toBe(0)

    await run('docker', ['kill', `${project}-registry-2`])
    const without = await judge('oci.push.*')
    expect(without.code, without.stdout + without.stderr).toBe(0)
  } finally {
    await compose('down', '--volumes', '--timeout', '1')
  }
  expect(await held()).toEqual(before)
})

test('compose.yaml asks for both passwords and the signing secret', async (context) => {
  await needsCompose(context)
  const given = { POSTGRES_PASSWORD: 'p', REGISTRY_DB_PASSWORD: 'p', REGISTRY_SIGNING_SECRET: 's'.repeat(32) }
  for (const name of Object.keys(given)) {
    const env = { ...process.env, ...given, [name]: '' }
    await expect(run('docker', ['compose', '--file', file, 'config'], { env })).rejects.toThrow(name)
  }
})
