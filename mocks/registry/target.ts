import type { ServerContext } from '../handler.ts'

/** Path and query of a request, as the client sent them. */
export interface Target {
  /** Not decoded and not normalised: `%2F` and `..` stay what they are, and match no grammar. */
  readonly path: string
  /** Decoded values by name, in order. A plus sign is a plus sign, as in media types. */
  readonly query: ReadonlyMap<string, readonly string[]>
  /** The query as it was sent, for those who read it as a form. */
  readonly search: string
}

/** The server's adapter breaks on a target in absolute form (`GET http://host/path`), so the raw one is read where there is one. */
export function targetOf(request: Request, { req }: ServerContext): Target {
  const raw = (req?.url ?? request.url).replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
  const mark = raw.indexOf('?')
  const path = mark < 0 ? raw : raw.slice(0, mark)
  const search = mark < 0 ? '' : raw.slice(mark + 1)
  return { path: path === '' ? '/' : path, query: parseQuery(search), search }
}

/** Percent-decoding that leaves alone what it cannot decode, and NUL, which no text column takes. */
export function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text)
    return plain.includes('\0') ? text : plain
  } catch {
    return text
  }
}

function parseQuery(search: string): Map<string, string[]> {
  const query = new Map<string, string[]>()
  for (const pair of search.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : decoded(pair.slice(equals + 1))
    query.set(name, [...(query.get(name) ?? []), value])
  }
  return query
}
