/** One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1). */
export interface Challenge {
  /** As it was sent; compared without regard to case. */
  readonly scheme: string
  /** Names in lower case. Of a parameter that stands twice, the first. */
  readonly parameters: Readonly<Record<string, string>>
  /** Which of the parameters were quoted strings. */
  readonly quoted: readonly string[]
  /** Which of the parameters stand more than once, which RFC 9110 (11.2) forbids. */
  readonly repeated: readonly string[]
}

interface Reading {
  readonly scheme: string
  readonly parameters: Record<string, string>
  readonly quoted: string[]
  readonly repeated: string[]
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
/** A value without quotes is read to the next comma or space, also where it holds what only quotes allow: a URL. */
const parameterPattern = new RegExp(`^(${token})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s",]+))`)
/** A scheme alone, with parameters after it, or with a token68 as Negotiate has it. */
const schemePattern = new RegExp(`^(${token})(?=[ \\t,]|$)(?:[ \\t]+[A-Za-z0-9._~+/-]+=*(?=[ \\t]*(?:,|$)))?`)

/** Reads every challenge of a header value; what is not a challenge ends the reading. */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: Reading[] = []
  let rest = header.trim()
  while (rest) {
    const parameter = parameterPattern.exec(rest)
    const current = challenges.at(-1)
    const read = parameter && current ? parameter : schemePattern.exec(rest)
    if (!read?.[1]) return challenges
    if (parameter && current) keep(current, read)
    else challenges.push({ scheme: read[1], parameters: {}, quoted: [], repeated: [] })
    rest = rest.slice(read[0].length).replace(/^[ \t,]+/, '')
  }
  return challenges
}

function keep({ parameters, quoted, repeated }: Reading, [, name = '', string, bare]: RegExpExecArray): void {
  const key = name.toLowerCase()
  if (Object.hasOwn(parameters, key)) {
    if (!repeated.includes(key)) repeated.push(key)
    return
  }
  parameters[key] = string?.replace(/\\(.)/g, '$1') ?? bare ?? ''
  if (string !== undefined) quoted.push(key)
}

/** The Bearer challenge among those of an answer. */
export function bearerChallenge(headers: readonly string[]): Challenge | undefined {
  return headers
    .flatMap((header) => parseChallenges(header))
    .find(({ scheme }) => scheme.toLowerCase() === 'bearer')
}

/** Whether an answer offers to take a username and a password as they are (RFC 7617). */
export const basicOffered = (headers: readonly string[]): boolean =>
  headers.flatMap((header) => parseChallenges(header)).some(({ scheme }) => scheme.toLowerCase() === 'basic')
