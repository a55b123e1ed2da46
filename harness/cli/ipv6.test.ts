import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startStack } from '../../mocks/stack.ts'
import type { Report } from '../report.ts'
import { assay } from './command.test-support.ts'
import { loadBehaviours } from './load-faults.ts'

const loopback = Object.values(networkInterfaces()).flat()
const hasIpv6 = loopback.some((address) => address?.address === '::1')

test.skipIf(!hasIpv6)(
  'targets at addresses of IPv6 are judged like any other',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-ipv6-'))
    const stack = await startStack({ host: '::1', faults: (await loadBehaviours()).faults })
    try {
      const only = ['oci.pull.blob.get.*', 'oci.push.session.*', 'auth.challenge.realm*', 'graphql.projects*']
      const flags = only.flatMap((glob) => ['--only', glob])
      const args = ['test', '--targets', '-', ...flags, '--report', 'json=report.json']
      const ended = await assay(args, { cwd: folder, input: JSON.stringify(stack.targets) })
      const { summary } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Report
      expect(stack.targets.registry?.url).toContain('[::1]')
      expect(summary.verdict).toBe('conformant')
      expect(ended.code).toBe(0)
    } finally {
      await stack.close()
      await rm(folder, { recursive: true })
    }
  },
  60_000,
)
