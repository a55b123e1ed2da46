import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../report.ts'
import { assay } from './command.test-support.ts'
import { needsProgram } from './program.test-support.ts'

let folder: string
let child: ChildProcess | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-docker-registry-'))
})
afterAll(async () => {
  if (child?.kill()) await once(child, 'exit')
  await rm(folder, { recursive: true })
})

/** Starts Debian's docker-registry (distribution 2.8) on a free port. */
async function startRegistry(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const config = join(folder, 'config.yml')
  await writeFile(
    config,
    `version: 0.1\nstorage: {filesystem: {rootdirectory: ${folder}/data}, delete: {enabled: true}}\nhttp: {addr: 127.0.0.1:${port}}\n`,
  )
  child = spawn('docker-registry', ['serve', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  const { stderr } = child
  await new Promise<void>((resolve) =>
    stderr?.on('data', (chunk) => String(chunk).includes('listening on') && resolve()),
  )
  return `http://127.0.0.1:${port}`
}

/** What distribution 2.8 is known to do wrong, and nothing else. */
const knownFaults: readonly string[] = [
  // An unsatisfiable range is answered with the Content-Length of the whole blob.
  'oci.base.http.content-length-true',
  // Internal errors: a malformed digest as a reference, and a blob that is asked for as a manifest.
  'oci.base.reference.malformed-digest',
  'oci.pull.manifest.get.blob-digest.404',
  // Chunks are taken in any order (distribution issue 4945).
  'oci.push.chunked.patch.first-chunk-nonzero.416',
  'oci.push.chunked.patch.gap.416',
  'oci.push.chunked.patch.overlap.416',
  // A mount of a sha512 digest answers 201, and nothing is there.
  'oci.push.mount.201.location',
  // Tags are not sorted, and neither n nor last is read.
  'oci.discovery.tags.last.exclusive',
  'oci.discovery.tags.last.with-n',
  'oci.discovery.tags.n.exact',
  'oci.discovery.tags.n.zero',
  'oci.discovery.tags.order',
]

test('a real registry is judged: its known faults are found, and nothing false', async (context) => {
  needsProgram(context, 'docker-registry')
  const url = await startRegistry()
  const { code, stdout } = await assay(['test', '--registry', url, '--report', 'json=report.json'], {
    cwd: folder,
  })
  const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report
  const violated = report.requirements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id)
  expect(violated.sort()).toEqual([...knownFaults].sort())
  expect(report.summary.byVerdict.error).toBe(0)
  expect(report.summary.verdict).toBe('non-conformant')
  expect(stdout).toContain('non-conformant')
  expect(code).toBe(1)
})
