/** Levenshtein distance: how many characters have to be put in, taken out or changed. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [row, left] of [...a].entries()) {
    const line = [row + 1]
    for (const [column, right] of [...b].entries()) {
      const changed = (above[column] ?? 0) + (left === right ? 0 : 1)
      line.push(Math.min(changed, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1))
    }
    above = line
  }
  return above[b.length] ?? 0
}

/** The known names that were most likely meant by `name`, nearest first, at most three. */
export function nearNames(name: string, known: readonly string[]): string[] {
  return known
    .map((candidate) => ({
      candidate,
      far: candidate.includes(name) || name.includes(candidate) ? 0 : distance(name, candidate),
    }))
    .filter(({ far }) => far <= Math.max(3, name.length / 3))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}
