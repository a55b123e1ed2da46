import type { Exchange } from '../../harness/exchange.ts'

/** A request's URL that an earlier answer named, and so has to be taken from that answer again. */
export interface Link {
  /** Index of the exchange whose answer named it. */
  readonly from: number
  readonly header: 'location' | 'link'
  /** What the request added to it: empty, or text that begins with `?` or `&`. */
  readonly added: string
}

/** Where the URL of request `index` comes from; `undefined` where the client knew it by itself. */
export function linkOf(exchanges: readonly Exchange[], index: number): Link | undefined {
  const url = exchanges[index]?.request.url
  if (url === undefined) return undefined
  // The client may have known the URL before an answer named it too, as with a manifest that it has just put.
  const known = exchanges.slice(0, index).findIndex(({ request }) => request.url === url)
  const first = known < 0 ? undefined : linkOf(exchanges, known)
  if (known >= 0 && !first) return undefined
  for (let from = index - 1; from >= 0; from -= 1) {
    for (const { header, target } of linksIn(exchanges[from])) {
      const added = beyond(target, url)
      if (added !== undefined) return { from, header, added }
    }
  }
  return undefined
}

function linksIn(exchange: Exchange | undefined): { header: Link['header']; target: string }[] {
  return (exchange?.response?.headers ?? []).flatMap(([name, value]) => {
    const header = name.toLowerCase()
    if (header !== 'location' && header !== 'link') return []
    const reference = header === 'link' ? value.match(/^\s*<([^>]*)>/)?.[1] : value
    if (!reference || !exchange || !URL.canParse(reference, exchange.request.url)) return []
    return [{ header, target: new URL(reference, exchange.request.url).href }]
  })
}

function beyond(target: string, url: string): string | undefined {
  if (!url.startsWith(target)) return undefined
  const added = url.slice(target.length)
  const separator = target.includes('?') ? '&' : '?'
  return added === '' || added.startsWith(separator) ? added : undefined
}
