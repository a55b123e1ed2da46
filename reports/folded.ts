/** The text in lines of at most `width` columns, broken between words; a longer word stays whole. */
export function folded(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1)
      if (line !== undefined && line.length + 1 + word.length <= width)
        lines[lines.length - 1] = `${line} ${word}`
      else lines.push(word)
    }
    return lines
  })
}
