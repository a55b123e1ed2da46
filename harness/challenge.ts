/** One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1). */
export interface Challenge {
  /** As it was sent; compared without regard to case. */
  readonly scheme: string
  /** Names in lower case. */
  readonly parameters: Readonly<Record<string, string>>
  /** Which of the parameters were quoted strings. */
  readonly quoted: readonly string[]
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const parameterPattern = new RegExp(`^(${token})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|(${token}))`)
const schemePattern = new RegExp(`^(${token})(?=[ \\t,]|$)(?:[ \\t]+(?=${token}[ \\t]*=)|[ \\t]*)`)

/** Reads every challenge of a header value; what is not a challenge ends the reading. */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string>; quoted: string[] }[] = []
  let rest = header.trim()
  while (rest) {
    const parameter = parameterPattern.exec(rest)
    const current = challenges.at(-1)
    if (parameter?.[1] && current) {
      const name = parameter[1].toLowerCase()
      if (parameter[2] !== undefined) current.quoted.push(name)
      current.parameters[name] = parameter[2]?.replace(/\\(.)/g, '$1') ?? parameter[3] ?? ''
      rest = rest.slice(parameter[0].length)
    } else {
      const scheme = schemePattern.exec(rest)
      if (!scheme?.[1]) return challenges
      challenges.push({ scheme: scheme[1], parameters: {}, quoted: [] })
      rest = rest.slice(scheme[0].length)
    }
    rest = rest.replace(/^[ \t,]+/, '')
  }
  return challenges
}

/** The Bearer challenge among those of an answer. */
export function bearerChallenge(headers: readonly string[]): Challenge | undefined {
  return headers
    .flatMap((header) => parseChallenges(header))
    .find(({ scheme }) => scheme.toLowerCase() === 'bearer')
}
