/** The page that lists a directory. */
import { escapeHtml } from './html.ts'

export interface ListedEntry {
  readonly name: string
  readonly cid: string
  /** Bytes of all blocks below. */
  readonly size: number
}

export interface Listing {
  /** `/ipfs/<cid>/…`, decoded. */
  readonly path: string
  /** The path of the URL, which ends in a slash. */
  readonly base: string
  readonly cid: string
  readonly size: number
  readonly hasParent: boolean
  readonly entries: readonly ListedEntry[]
}

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
table{border-collapse:collapse;width:100%}td{padding:.3rem .5rem;border-bottom:1px solid #ddd}
td:last-child{text-align:right;white-space:nowrap}.ipfs-hash{font-family:monospace;color:#666}`

export function listing({ path, base, cid, size, hasParent, entries }: Listing): string {
  const folder = base.endsWith('/') ? base : `${base}/`
  const rows = entries.map(
    (
      entry,
    ) => `<tr><td><a href="${escapeHtml(folder + encodeURIComponent(entry.name))}">${escapeHtml(entry.name)}</a></td>
<td><a class="ipfs-hash" translate="no" href="${escapeHtml(prefixOf(folder) + entry.cid)}?filename=${twice(entry.name)}">${shorten(entry.cid)}</a></td>
<td title="Cumulative size of IPFS DAG (data + metadata)">${humanSize(entry.size)}</td></tr>`,
  )
  const back = hasParent ? `<tr><td><a href="${escapeHtml(folder)}..">..</a></td><td></td><td></td></tr>` : ''
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(path)}</title>
<style>${style}</style>
</head>
<body>
<h1>Index of ${breadcrumbs(path, prefixOf(folder))}</h1>
<p class="ipfs-hash" translate="no">${escapeHtml(cid)}</p>
<p>${humanSize(size)}</p>
<table>
${back}
${rows.join('\n')}
</table>
</body>
</html>
`
}

/** `/ipfs/` as this gateway calls it. */
const prefixOf = (folder: string) => `/${folder.split('/')[1] ?? 'ipfs'}/`

function breadcrumbs(path: string, prefix: string): string {
  const [root = '', ...names] = path.split('/').filter(Boolean).slice(1)
  let href = `${prefix}${root}`
  const links = [`<a href="${escapeHtml(href)}">${escapeHtml(root)}</a>`]
  for (const name of names) {
    href += `/${encodeURIComponent(name)}`
    links.push(`<a href="${escapeHtml(href)}">${escapeHtml(name)}</a>`)
  }
  return `/ipfs/${links.join('/')}`
}

/** Kubo escapes the name twice here, and gateway-conformance asks for it. */
const twice = (name: string) => encodeURIComponent(encodeURIComponent(name))

const shorten = (cid: string) => `${cid.slice(0, 4)}…${cid.slice(-4)}`

const units = ['B', 'kB', 'MB', 'GB', 'TB']

function humanSize(bytes: number): string {
  const power = bytes < 10 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
