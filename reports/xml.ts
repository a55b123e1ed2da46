export type Attributes = Readonly<Record<string, string>>

/** An XML element; `children` are XML already, `text` is escaped. */
export function element(
  name: string,
  attributes: Attributes,
  children: readonly string[] = [],
  text = '',
): string {
  const start = [
    name,
    ...Object.entries(attributes).map(([key, value]) => `${key}="${inAttribute(value)}"`),
  ].join(' ')
  if (children.length === 0 && text === '') return `<${start}/>`
  const inside = text === '' ? `\n${children.join('\n')}\n` : inText(text)
  return `<${start}>${inside}</${name}>`
}

/** Everything that XML 1.0 has no way to write: control characters, U+FFFE, U+FFFF and half surrogate pairs. */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

function inText(text: string): string {
  return text
    .replaceAll(forbidden, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
}

function inAttribute(text: string): string {
  return inText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}
