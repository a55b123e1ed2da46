/**
 * Compiles file for file with tsc, copies the assets that tsc leaves behind, lists the suites, and makes the bin executable.
 * `node build.mjs PROJECT OUT` compiles another project into another folder.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const [project = 'tsconfig.build.json', out = 'dist'] = process.argv.slice(2)
const folders = ['harness', 'mocks', 'fixtures', 'suites', 'reports']
// Committed reference runs are for readers of the repository.
const runs = join('reports', 'runs')
const assets = new Set(['.json', '.sql', '.graphql', '.css', '.html', '.js', '.tsv'])

rmSync(join(root, out), { recursive: true, force: true })
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
execFileSync(process.execPath, [tsc, '-p', join(root, project)], { stdio: 'inherit' })
for (const folder of folders) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    const isAsset = entry.isFile() && assets.has(extname(entry.name)) && !entry.parentPath.includes(runs)
    if (!isAsset) continue
    const from = join(entry.parentPath, entry.name)
    const to = join(root, out, from.slice(root.length + 1))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to)
  }
}

// In the sources Vite finds the suites; what is built is read by Node alone.
const built = join(root, out, 'suites')
const suites = readdirSync(built, { recursive: true }).filter((file) => file.endsWith('.suite.js'))
const imports = suites.sort().map((file) => `import './${file.replaceAll('\\', '/')}'\n`)
writeFileSync(join(built, 'every.js'), imports.join(''))

chmodSync(join(root, out, 'harness', 'cli', 'main.js'), 0o755)
