/** The account behind an `Authorization` header, as far as the header names one. Whether it is right is not looked at. */
export function accountOf(authorization: string | null): string | null {
  const [, scheme, credentials] = /^(\S+)\s+(\S+)\s*$/.exec(authorization ?? '') ?? []
  if (!scheme || !credentials) return null
  if (scheme.toLowerCase() === 'basic') return basicUser(credentials)
  return scheme.toLowerCase() === 'bearer' ? tokenSubject(credentials) : null
}

function basicUser(credentials: string): string | null {
  const decoded = Buffer.from(credentials, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  return colon > 0 ? decoded.slice(0, colon) : null
}

function tokenSubject(token: string): string | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const subject = typeof payload === 'object' && payload !== null && 'sub' in payload ? payload.sub : null
    return typeof subject === 'string' ? subject : null
  } catch {
    return null
  }
}
