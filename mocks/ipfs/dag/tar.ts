/** A file or directory as a tar archive, written as it is read. */
import { type Header, type Pack, pack } from 'tar-stream'
import type { Repo } from '../store/repo.ts'
import { listEntries } from './directory.ts'
import { contentSize, readContent } from './file.ts'
import { cidOf, isDirectory, type Node, readNode } from './node.ts'

/** The archive of `node` under `name`. A block that is missing fails the stream. */
export async function* archive(repo: Repo, name: string, node: Node): AsyncGenerator<Uint8Array> {
  const tar = pack()
  write(repo, tar, name, node).then(
    () => tar.finalize(),
    (error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  for await (const chunk of tar) if (chunk instanceof Uint8Array) yield chunk
}

async function write(repo: Repo, tar: Pack, name: string, node: Node): Promise<void> {
  const { entry } = node
  const mtime = new Date((entry?.mtime?.seconds ?? 0) * 1000)
  if (isDirectory(node)) {
    await put(tar, { name, mtime, type: 'directory', mode: entry?.mode ?? 0o755 })
    for await (const link of listEntries(repo, node)) {
      await write(repo, tar, `${name}/${link.name}`, await readNode(repo, cidOf(link)))
    }
    return
  }
  if (entry?.type === 'symlink') {
    const linkname = Buffer.from(entry.data).toString()
    await put(tar, { name, mtime, type: 'symlink', linkname, mode: entry.mode ?? 0o777 })
    return
  }
  const size = contentSize(node)
  await put(tar, { name, mtime, size, mode: entry?.mode ?? 0o644 }, readContent(repo, node, 0, size))
}

type ArchivedHeader = Partial<Header> & Pick<Header, 'name'>

/** Adds an entry, and its content where it has one. */
function put(tar: Pack, header: ArchivedHeader, content?: AsyncIterable<Uint8Array>): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = tar.entry(header, (error) => (error ? reject(error) : resolve()))
    if (content) pour(content, entry).catch(reject)
  })
}

async function pour(content: AsyncIterable<Uint8Array>, entry: ReturnType<Pack['entry']>): Promise<void> {
  for await (const chunk of content) {
    if (!entry.write(chunk)) await new Promise<void>((resolve) => entry.once('drain', resolve))
  }
  entry.end(null)
}
