/** One POSIX shell word that stands for exactly this text. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A `printf` that writes exactly this text, also where it holds NUL, which no argument can carry. */
export function printed(text: string): string {
  const format = text.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('\0', '\\000')
  return `printf ${quoted(format)}`
}

/** Text for a comment or an error message of a script: one line, nothing that a shell would expand. */
export function plainWords(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} .,:;/@=_()+-]+/gu, ' ').trim()
}

/** The name of a variable made from free text: `my-account` → `MY_ACCOUNT`. */
export function variableName(text: string): string {
  const name = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return /^[A-Z]/.test(name) ? name : `ACCOUNT_${name}`
}
