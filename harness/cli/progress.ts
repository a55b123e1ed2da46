import pc from 'picocolors'
import { namedByConfiguration } from '../capability.ts'
import type { Capability, CleanupReport } from '../report.ts'
import type { RawResult } from '../reporter.ts'

/** What a user sees while a run goes on: one line that moves in a terminal, plain lines elsewhere. */
export interface Progress {
  say(line: string): void
  probed(capabilities: Readonly<Record<string, Capability>>): void
  judged(result: RawResult): void
  cleaned(cleanup: CleanupReport): void
  end(): void
}

export interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const byConfiguration = ({ cause, reason }: Capability) =>
  cause === 'not-configured' || reason === namedByConfiguration

/** Without a terminal, one line for each so many requirements. */
const plainStep = 100
const redrawMs = 80

export function createProgress(out: ProgressStream, colour: boolean): Progress {
  const { red, yellow, dim, green } = pc.createColors(colour)
  const moving = out.isTTY === true
  let verified = 0
  let total = 0
  let violated = 0
  let drawnAt = 0

  const clear = () => moving && out.write('\r\u001b[2K')
  const say = (line: string) => {
    clear()
    out.write(`${line}\n`)
  }
  const counts = () =>
    `${total} requirements: ${green(`${verified} verified`)}${violated > 0 ? `, ${red(`${violated} violated`)}` : ''}`

  return {
    say,
    probed(capabilities) {
      const named = (offered: boolean) =>
        Object.entries(capabilities)
          .filter(([, found]) => found.offered === offered && !byConfiguration(found))
          .map(([name]) => name)
      const [has, lacks] = [named(true), named(false)]
      if (has.length > 0) say(dim(`offers  ${has.join(', ')}`))
      if (lacks.length > 0) say(dim(`lacks   ${lacks.join(', ')}`))
    },
    judged(result) {
      total += 1
      if (result.verdict === 'holds') verified += 1
      if (result.verdict === 'violated') {
        violated += 1
        say(`${red('✗')} ${result.id}  ${dim(result.reason.split('\n')[0] ?? '')}`)
      }
      if (result.verdict === 'error') say(`${yellow('!')} ${result.id}  ${result.reason}`)
      if (!moving && total % plainStep === 0) say(counts())
      if (!moving || performance.now() - drawnAt < redrawMs) return
      drawnAt = performance.now()
      out.write(`\r\u001b[2K${counts()}  ${dim(result.id.slice(0, Math.max(0, (out.columns ?? 80) - 50)))}`)
    },
    cleaned({ removed, residue, durationMs }) {
      const left = residue.reduce((sum, { count }) => sum + count, 0)
      const rest = left > 0 ? `, ${yellow(`${left} left`)}` : ''
      say(`removed ${removed} things that the run made${rest} ${dim(`(${durationMs} ms)`)}`)
    },
    end() {
      clear()
      if (!moving) out.write(`${counts()}\n`)
    },
  }
}
