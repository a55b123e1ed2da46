const most = 3

/** The names that share the most with a misspelt one: a message can say what was probably meant. */
export function nearest(wanted: string, names: readonly string[]): readonly string[] {
  const scored = names.map((name) => ({ name, score: sharedPairs(wanted, name) }))
  const worth = Math.max(2, wanted.length / 3)
  return scored
    .filter(({ score }) => score >= worth)
    .sort((a, b) => b.score - a.score || a.name.length - b.name.length)
    .slice(0, most)
    .map(({ name }) => name)
}

function sharedPairs(a: string, b: string): number {
  const pairs = new Set<string>()
  for (let i = 0; i + 2 <= b.length; i += 1) pairs.add(b.slice(i, i + 2))
  let shared = 0
  for (let i = 0; i + 2 <= a.length; i += 1) if (pairs.has(a.slice(i, i + 2))) shared += 1
  return shared
}
