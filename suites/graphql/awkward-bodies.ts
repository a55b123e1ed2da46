const strings: readonly string[] = [
  '"',
  "'",
  '\\',
  '"""',
  '\u0000',
  '\u0007\u001b[31m',
  '\n\r\t',
  '\u2028\u2029',
  '\uFEFF',
  '\uD800',
  "' OR '1'='1",
  "'; DROP TABLE projects; --",
  '#{7*7}',
  '{{7*7}}',
  '%00%n%s',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
]

/** A request that holds the text as a literal of the document, as a variable, and as the name of one. */
const around = (text: string) =>
  JSON.stringify({
    query: `query ($text: String) { projects(literal: ${JSON.stringify(text)}, variable: $text) { data { id } } }`,
    variables: { text, [text]: text },
  })

/** Bodies with what breaks out of a string somewhere, each with a name. */
export const awkwardBodies: readonly (readonly [name: string, body: string])[] = [
  ...strings.map((text) => [JSON.stringify(text), around(text)] as const),
  ['a broken escape in JSON', '{"query":"{ projects { data { id } } } \\u12"}'],
  ['an unknown escape in JSON', '{"query":"\\x41"}'],
  [
    'a broken escape in the document',
    JSON.stringify({ query: '{ projects(search: "\\u12") { data { id } } }' }),
  ],
]
