/** Path and query of a request, as the client sent them. */
export interface Address {
  readonly path: string
  readonly query: URLSearchParams
}

/** The server puts the Host header in front of the request's target, which may be an absolute URL itself. */
const beforePath = /^[a-z]+:\/\/[^/?#]*?(?:https?:\/\/[^/?#]*)?(?=[/?#]|$)/i

/** Unlike `new URL`, takes what any client may send. */
export function addressOf(url: string): Address {
  const target = url.replace(beforePath, '').replace(/#.*$/s, '')
  const mark = target.indexOf('?')
  if (mark < 0) return { path: target, query: new URLSearchParams() }
  return { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark)) }
}
