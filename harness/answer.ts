export type HeaderList = readonly (readonly [name: string, value: string])[]

/** An answer that has arrived whole. */
export interface Answer {
  readonly method: string
  /** The absolute URL that was asked. */
  readonly url: string
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** The value of a header, several joined with `, `; `undefined` where it is absent. */
  header(name: string): string | undefined
  /** Each value of a header that may stand more than once. */
  headerValues(name: string): readonly string[]
  text(): string
  /** Throws `SyntaxError` when the body is not JSON. */
  json(): unknown
}

/**
 * undici types `raw` headers as a record; they are a flat list of names and values. White space around a value is no
 * part of it (RFC 9110, 5.5), and undici leaves tabs there.
 */
export function headerList(raw: unknown): HeaderList {
  const list = raw as readonly (string | Buffer)[]
  const result: [string, string][] = []
  for (let i = 0; i + 1 < list.length; i += 2) {
    result.push([latin1(list[i]), latin1(list[i + 1]).replace(/^[ \t]+|[ \t]+$/g, '')])
  }
  return result
}

const latin1 = (value: string | Buffer | undefined) =>
  typeof value === 'string' ? value : (value?.toString('latin1') ?? '')

export function createAnswer(
  method: string,
  url: string,
  status: number,
  headers: HeaderList,
  body: Uint8Array,
): Answer {
  const headerValues = (name: string) =>
    headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value)
  let parsed: { readonly value: unknown } | undefined
  return {
    method,
    url,
    status,
    headers,
    body,
    headerValues,
    header: (name) => {
      const values = headerValues(name)
      return values.length > 0 ? values.join(', ') : undefined
    },
    text: () => Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'),
    json() {
      parsed ??= { value: JSON.parse(this.text()) }
      return parsed.value
    },
  }
}
