import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '../program.test-support.ts'

/** What goes into an image that is made from this machine's programs, as none can be pulled everywhere. */
export interface ScratchImage {
  readonly tag: string
  /** The first lines are `FROM …` and `COPY root /`; these follow. */
  readonly instructions: readonly string[]
  /** `scratch` unless told. */
  readonly from?: string
  /** Programs by their path, each with the libraries that it loads. */
  readonly programs?: readonly string[]
  /** Files and folders: where they go, and where they are on this machine. */
  readonly copies?: Readonly<Record<string, string>>
  /** Scripts: where they go, and their text. */
  readonly scripts?: Readonly<Record<string, string>>
}

/** Builds the image. Rejects with what `docker build` printed. */
export async function buildScratchImage(image: ScratchImage): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), 'assay-image-'))
  try {
    const root = join(context, 'root')
    await mkdir(root)
    for (const program of image.programs ?? []) {
      for (const path of [program, ...librariesOf(program)]) await copy(path, join(root, path))
    }
    for (const [to, from] of Object.entries(image.copies ?? {})) await copy(from, join(root, to))
    for (const [path, text] of Object.entries(image.scripts ?? {})) {
      const file = join(root, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
      await chmod(file, 0o755)
    }
    const lines = [`FROM ${image.from ?? 'scratch'}`, 'COPY root /', ...image.instructions, '']
    await writeFile(join(context, 'Dockerfile'), lines.join('\n'))
    await run('docker', ['build', '--quiet', '--tag', image.tag, context])
  } finally {
    await rm(context, { recursive: true })
  }
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await cp(from, to, { recursive: true, dereference: true })
}

/** The shared libraries of a program and their loader; none for one that is linked statically. */
export function librariesOf(program: string): readonly string[] {
  try {
    const text = execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return [...text.matchAll(/(\/\S+) \(0x/g)].flatMap(([, path]) => path ?? [])
  } catch {
    return []
  }
}
