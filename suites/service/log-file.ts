import { open, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import type { HttpClient } from '../../harness/http.ts'
import { need } from '../push.ts'

/** The log of a registry, read from where it ended when it was opened. */
export interface LogFile {
  /** The whole lines since then, once one of them has the text or two seconds have passed. */
  linesOnce(text: string): Promise<readonly string[]>
}

interface Bytes {
  size(): Promise<number>
  /** All bytes beyond an offset. */
  after(offset: number): Promise<Buffer>
}

const tries = 40
const betweenTriesMs = 50

/** Opens a log that is named by a path or a URL. Throws `PrerequisiteFailure` where it cannot be read. */
export async function openLog(http: HttpClient, logs: string): Promise<LogFile> {
  const log = /^https?:/.test(logs) ? served(http, logs) : file(logs)
  const start = await log.size()
  return {
    async linesOnce(text) {
      for (let attempt = 1; ; attempt += 1) {
        const written = (await log.after(start)).toString('utf8')
        const lines = written.split('\n').slice(0, -1).filter(Boolean)
        if (attempt === tries || lines.some((line) => line.includes(text))) return lines
        await pause(betweenTriesMs)
      }
    },
  }
}

function served(http: HttpClient, url: string): Bytes {
  const get = async () => need('reading the log', await http.request('GET', url), 200).body
  return {
    size: async () => (await get()).length,
    after: async (offset) => Buffer.from((await get()).subarray(offset)),
  }
}

function file(logs: string): Bytes {
  const path = logs.startsWith('file:') ? fileURLToPath(logs) : logs
  const readable = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: Error) => {
      throw new PrerequisiteFailure(`the log cannot be read: ${error.message}`)
    })
  return {
    size: async () => (await readable(stat(path))).size,
    async after(offset) {
      const handle = await readable(open(path))
      try {
        const bytes = Buffer.alloc(Math.max(0, (await handle.stat()).size - offset))
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset)
        return bytes.subarray(0, bytesRead)
      } finally {
        await handle.close()
      }
    },
  }
}
