import type { Exchange } from '../../harness/exchange.ts'

/** A value that an answer made up and a later request sent back, such as the id of a project. */
export interface AnsweredValue {
  /** Index of the exchange whose answer made it. */
  readonly from: number
  readonly key: string
  readonly value: string
}

/** Values of JSON answers that later requests need, and that no request up to then had. */
export function answeredValues(exchanges: readonly Exchange[]): readonly AnsweredValue[] {
  const values: AnsweredValue[] = []
  for (const [from, { response }] of exchanges.entries()) {
    const known = exchanges
      .slice(0, from + 1)
      .map(sent)
      .join('\n')
    const later = exchanges
      .slice(from + 1)
      .map(sent)
      .join('\n')
    for (const [key, value] of lastStrings(response?.body?.text ?? '')) {
      const isNew = !known.includes(value) && !values.some((each) => each.value === value)
      if (isNew && later.includes(value)) values.push({ from, key, value })
    }
  }
  return values
}

/** The exchange with a placeholder where its request sends a value that an earlier answer made. */
export function withPlaceholders(
  exchange: Exchange,
  index: number,
  values: readonly AnsweredValue[],
): Exchange {
  const fill = (text: string) =>
    values.reduce(
      (filled, { from, key, value }) =>
        from < index ? filled.replaceAll(value, `[answer ${from + 1} ${key}]`) : filled,
      text,
    )
  const { body } = exchange.request
  const url = fill(exchange.request.url)
  const filledBody = body?.text === undefined ? body : { ...body, text: fill(body.text) }
  return { ...exchange, request: { ...exchange.request, url, ...(filledBody && { body: filledBody }) } }
}

const sent = ({ request }: Exchange) => `${request.url}\n${request.body?.text ?? ''}`

/** Long enough to be made up, and of characters that need no quoting anywhere. The script can only find a key's last value. */
function lastStrings(json: string): ReadonlyMap<string, string> {
  const strings = [...json.matchAll(/"(\w+)"\s*:\s*"([^"]*)"/g)].map(
    ([, key = '', value = '']) => [key, value] as const,
  )
  return new Map([...new Map(strings)].filter(([, value]) => /^[\w-]{8,}$/.test(value)))
}
