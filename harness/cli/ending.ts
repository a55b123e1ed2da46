import { constants } from 'node:os'
import { watchParent } from './parent.ts'

/** Why a command that runs until it is told ends. */
export interface Ending {
  /** 128 and the number of the signal, as shells count. */
  readonly exitCode: number
  /** How long requests under way may still take. */
  readonly graceMs: number
}

/** Less than the 10 s after which container engines kill. */
const graceMs = 8000

/** Waits for Ctrl-C, SIGTERM, SIGHUP or the end of the npx that started this process. */
export function watchForEnd(): { readonly ended: Promise<Ending>; again(react: () => void): void } {
  let react = () => {}
  let resolveEnded: (ending: Ending) => void = () => {}
  let ending = false
  const ended = new Promise<Ending>((resolve) => {
    resolveEnded = resolve
  })
  const end = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', grace: number) => {
    if (ending) return react()
    ending = true
    resolveEnded({ exitCode: 128 + constants.signals[signal], graceMs: grace })
  }
  process.on('SIGINT', () => end('SIGINT', 0))
  process.on('SIGTERM', () => end('SIGTERM', graceMs))
  process.on('SIGHUP', () => end('SIGHUP', 0))
  const unwatch = watchParent(() => {
    unwatch()
    end('SIGHUP', 0)
  })
  return {
    ended,
    again(wanted) {
      react = wanted
    },
  }
}
