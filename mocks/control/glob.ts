/** Compiles a pattern in which `*` stands for any run of characters, slashes included. The whole text has to match. */
export function glob(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('.*')}$`, 's')
  return (text) => expression.test(text)
}
