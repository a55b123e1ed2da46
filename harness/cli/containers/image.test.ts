import { expect, test } from 'vitest'
import { run } from '../program.test-support.ts'
import { needsDocker } from './docker.test-support.ts'

const inside = async (image: string, ...command: readonly string[]) =>
  (await run('docker', ['run', '--rm', image, ...command])).stdout

test('the image has assay as its entry point, and judges a registry', async (context) => {
  const { registry } = await needsDocker(context)
  expect(await inside(registry, '--version')).toMatch(/^\d+\.\d+\.\d+$/m)
  expect(await inside(registry, 'test', '--only', 'oci.pull.manifest.*')).toContain('\nconformant')
})

test('it does not run as root, and its own files are not writable', async (context) => {
  const { registry } = await needsDocker(context)
  const sh = 'id -u; touch /opt/assay/package.json 2>/dev/null && echo writable || echo safe'
  const { stdout } = await run('docker', ['run', '--rm', '--entrypoint', 'sh', registry, '-c', sh])
  expect(stdout).toBe('1000\nsafe\n')
})

test('a SIGTERM ends it in good order', async (context) => {
  const { registry } = await needsDocker(context)
  const { stdout } = await run('docker', ['run', '--detach', registry])
  const id = stdout.trim()
  try {
    await run('sh', ['-c', `until docker logs ${id} 2>&1 | grep -q '^ready'; do sleep 0.1; done`])
    await run('docker', ['stop', '--time', '30', id])
    const ended = await run('docker', ['container', 'inspect', '--format', '{{.State.ExitCode}}', id])
    expect(ended.stdout).toBe('143\n')
  } finally {
    await run('docker', ['container', 'rm', '--force', id])
  }
})
