/** Which form of the content a request asks for: `?format=` first, then `Accept`. https://specs.ipfs.tech/http-gateways/path-gateway/#format-request-query-parameter */

export type Format = 'raw' | 'car' | 'tar' | 'json' | 'cbor' | 'dag-json' | 'dag-cbor' | 'ipns-record'

export const mediaTypes: Readonly<Record<Format, string>> = {
  raw: 'application/vnd.ipld.raw',
  car: 'application/vnd.ipld.car',
  tar: 'application/x-tar',
  json: 'application/json',
  cbor: 'application/cbor',
  'dag-json': 'application/vnd.ipld.dag-json',
  'dag-cbor': 'application/vnd.ipld.dag-cbor',
  'ipns-record': 'application/vnd.ipfs.ipns-record',
}
const byMediaType = new Map(Object.entries(mediaTypes).map(([format, type]) => [type, format as Format]))

export interface RequestedFormat {
  /** Undefined: the content itself. `unknown`: an application/vnd.ip… type that is none of ours. */
  readonly format: Format | 'unknown' | undefined
  /** Parameters of the media type in Accept, when that is what decided or agrees. */
  readonly parameters: ReadonlyMap<string, string>
}

const none: ReadonlyMap<string, string> = new Map()
const special = [
  'application/vnd.ipld',
  'application/vnd.ipfs',
  mediaTypes.tar,
  mediaTypes.json,
  mediaTypes.cbor,
]

export function requestedFormat(request: Request, query: URLSearchParams): RequestedFormat {
  const accepted = acceptedFormat(request.headers.get('accept') ?? '')
  const named = query.get('format') ?? ''
  if (!isFormat(named)) return accepted
  return { format: named, parameters: accepted.format === named ? accepted.parameters : none }
}

const isFormat = (name: string): name is Format => Object.hasOwn(mediaTypes, name)

/** The first media type in Accept that means anything special; weights do not count. */
function acceptedFormat(header: string): RequestedFormat {
  const found = header
    .split(',')
    .map((value) => value.trim())
    .find((value) => special.some((prefix) => value.startsWith(prefix)))
  if (found === undefined) return { format: undefined, parameters: none }
  const [type = '', ...rest] = found.split(';')
  const parameters = rest.map((pair): [string, string] => {
    const [name = '', value = ''] = pair.split('=')
    return [name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '')]
  })
  return { format: byMediaType.get(type.trim().toLowerCase()) ?? 'unknown', parameters: new Map(parameters) }
}

/** The URL that gives the same without Accept; undefined where this one already does. */
export function contentLocation(url: URL, { format, parameters }: RequestedFormat): string | undefined {
  if (format === undefined || format === 'unknown' || url.searchParams.get('format') === format)
    return undefined
  const query = new URLSearchParams(url.search)
  query.set('format', format)
  for (const [name, value] of parameters) {
    if (!query.has(`${format}-${name}`)) query.set(`${format}-${name}`, value)
  }
  query.sort()
  return `${url.pathname}?${query}`
}
