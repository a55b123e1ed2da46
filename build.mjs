/** Compiles file for file with tsc, copies the assets that tsc leaves behind, and makes the bin executable. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const dist = join(root, 'dist')
const folders = ['harness', 'mocks', 'fixtures', 'suites', 'reports']
const assets = new Set(['.json', '.sql', '.graphql', '.css', '.html', '.js'])

rmSync(dist, { recursive: true, force: true })
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
for (const folder of folders) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !assets.has(extname(entry.name))) continue
    const from = join(entry.parentPath, entry.name)
    const to = join(dist, from.slice(root.length + 1))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to)
  }
}
chmodSync(join(dist, 'harness', 'cli', 'main.js'), 0o755)
