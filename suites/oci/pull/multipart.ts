import type { Answer } from '../../../harness/answer.ts'
import { expectThat } from '../../../harness/finding.ts'

/** One part of a multipart/byteranges answer. */
export interface BodyPart {
  readonly contentRange: string | undefined
  readonly body: Buffer
}

/** The parts of a multipart/byteranges answer (RFC 9110, 14.6), or `undefined` where it is not one. */
export function bodyParts(answer: Answer): readonly BodyPart[] | undefined {
  const type = answer.header('content-type') ?? ''
  const [, quoted, plain] = /^multipart\/byteranges\s*;.*?boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  const [, ...pieces] = `\r\n${Buffer.from(answer.body).toString('latin1')}`.split(`\r\n--${boundary}`)
  const end = pieces.pop()
  expectThat(end?.startsWith('--') === true, `a last delimiter --${boundary}--`, 'none')
  return pieces.map(bodyPart)
}

function bodyPart(text: string): BodyPart {
  const end = text.indexOf('\r\n\r\n')
  const contentRange = /^content-range:[ \t]*(.*?)[ \t]*$/im.exec(text.slice(0, end))?.[1]
  return { contentRange, body: Buffer.from(text.slice(end + 4), 'latin1') }
}
