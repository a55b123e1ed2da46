/** Header values with parameters, as Go's mime.ParseMediaType reads them. */
export interface MediaType {
  /** In lower case. */
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
}

const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g

/** Reads `type; name=value; name="value"`. */
export function parseMediaType(header: string): MediaType {
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, bare = ''] of header.matchAll(parameter)) {
    parameters.set(name.toLowerCase(), quoted === undefined ? bare : unescapeQuoted(quoted))
  }
  return { type: (header.split(';')[0] ?? '').trim().toLowerCase(), parameters }
}

/** A backslash counts only before a quote or a backslash: browsers send paths with bare ones. */
const unescapeQuoted = (text: string) => text.replace(/\\(["\\])/g, '$1')
