/**
 * Coverage by c8. V8 counts what it runs, and Vitest rewrites the TypeScript that it loads, so the tests are compiled
 * first and run from there with our modules loaded as they are; c8 maps the counts back to the sources.
 */
import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const bin = (name) => join(root, 'node_modules', '.bin', name)
const run = (command, args) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = status ?? 1
}

run(process.execPath, ['build.mjs', 'tsconfig.coverage.json', 'coverage/build'])
// Tests that start the command line look for it in dist/ beside the sources.
symlinkSync('.', join(root, 'coverage', 'build', 'dist'))
const folders = ['harness', 'mocks', 'fixtures', 'suites', 'reports'].flatMap((folder) => ['--src', folder])
const flags = [
  '--all',
  ...folders,
  '--exclude-after-remap',
  '--extension',
  '.ts',
  '--exclude',
  '**/*.test*.ts',
  '--reporter',
  'text-summary',
]
const html = [
  '--reporter',
  'html',
  '--reports-dir',
  'coverage/report',
  '--temp-directory',
  'coverage/temporary',
]
run(bin('c8'), [
  ...flags,
  ...html,
  bin('vitest'),
  'run',
  '--config',
  'vitest.coverage.config.ts',
  ...process.argv.slice(2),
])
