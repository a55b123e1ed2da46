/** Takes secrets out of whatever is recorded, before it is recorded. */
export interface Redactor {
  /** From now on `secret`, in every spelling that a request or an answer may give it, reads as `[label]`. */
  add(secret: string, label: string): void
  redact(text: string): string
}

/** A JSON Web Token wherever it stands, known or not: header and payload begin with an encoded `{"`. */
const jsonWebToken = /\beyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]*/g

const aloneJsonWebToken = new RegExp(`^${jsonWebToken.source.replace('\\b', '')}$`)

/** What an answer of a token service holds, before anyone could announce it. */
const namedToken = /("(?:token|access_token|refresh_token|id_token)"\s*:\s*")[^"]+(?=")/g

/** Shorter secrets would match by accident. */
const shortestSecret = 4

function spellings(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    json,
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    new URLSearchParams([['', secret]]).toString().slice(1),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ]
}

export function createRedactor(): Redactor {
  const labels = new Map<string, string>()
  let longestFirst: readonly string[] = []
  return {
    add(secret, label) {
      // Tokens are many, and found without being known.
      if (secret.length < shortestSecret || aloneJsonWebToken.test(secret)) return
      for (const spelling of spellings(secret)) if (!labels.has(spelling)) labels.set(spelling, label)
      longestFirst = [...labels.keys()].sort((a, b) => b.length - a.length)
    },
    redact(text) {
      let clean = text
      for (const secret of longestFirst) {
        if (clean.includes(secret)) clean = clean.replaceAll(secret, `[${labels.get(secret)}]`)
      }
      return clean.replace(jsonWebToken, '[token]').replace(namedToken, '$1[token]')
    },
  }
}
