import { type Refusal, unsupported } from './errors.ts'
import type { Page } from './stores.ts'
import type { Target } from './target.ts'

/** The longest page, also without `n`: a longer list goes on behind its Link. */
const longest = 10_000

/** What `n` and `last` ask for. */
export function pageOf({ query }: Target, most = longest): Page | Refusal {
  const [n] = query.get('n') ?? []
  const [last = ''] = query.get('last') ?? []
  if (n !== undefined && !/^[0-9]+$/.test(n)) return unsupported(400, 'n must be a whole number, 0 or more')
  return { limit: n === undefined ? most : Math.min(Number(n), most), last }
}

/** The `Link` header of a page that is not the last: https://www.rfc-editor.org/rfc/rfc8288 */
export function nextLink(
  path: string,
  parameters: Readonly<Record<string, string | number>>,
): { Link: string } {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return { Link: `<${path}?${query.join('&')}>; rel="next"` }
}

/** Cuts a list that was asked for with one entry more than its page takes. */
export function cut<Entry>(
  entries: readonly Entry[],
  limit: number,
): { page: Entry[]; last: Entry | undefined } {
  const page = entries.slice(0, limit)
  return { page, last: entries.length > limit ? page.at(-1) : undefined }
}
