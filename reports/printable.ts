/** Text from a target with everything made visible that a terminal or a browser would obey: escape sequences, bells, reversed writing. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    const code = character.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\uFFFD'
  })
}
