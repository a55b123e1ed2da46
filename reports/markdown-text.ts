/** Text as one line of prose: nothing in it becomes markup, a mention, a reference to an issue or a link. */
export function inline(text: string): string {
  return oneLine(text).replaceAll(/[&<>"'\\`*_{}[\]()!|~$@#]|:\/\/|^[-+]|^\d+(?=[.)])/g, escaped)
}

function escaped(markup: string): string {
  if (/[&<>"']/.test(markup)) return `&#${markup.charCodeAt(0)};`
  // GitHub finds mentions, references and addresses in the text that is left after unescaping: part them.
  if (markup === '@' || markup === '#') return `\\${markup}&#8203;`
  if (markup === '://') return ':&#8203;//'
  return `\\${markup}`
}

/** Text as a code span, also where it holds backticks; a table's `|` is written so that it stays in its cell. */
export function code(text: string): string {
  const escaped = oneLine(text).replaceAll(/[&<>"'`|@#]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<code>${escaped}</code>`
}

/** Text as a block of code, whose fence is longer than any in the text. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replaceAll('\r', '').trimEnd()}\n${fence}`
}

/** A link where the address is one of the web, else only its text. */
export function link(text: string, url: string): string {
  return /^https?:\/\/[^\s<>()]+$/.test(url) ? `[${inline(text)}](${url})` : inline(text)
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
