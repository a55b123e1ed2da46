/** A name as a part of a URL, at most 100 characters: lower case, words joined by hyphens. */
const plainSlug = (name: string, fallback: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '') || fallback

/** The slug for a name; where it is taken, the next free of `-2`, `-3` and so on. */
export function freeSlug(name: string, fallback: string, taken: Iterable<string>): string {
  const slugs = new Set(taken)
  const slug = plainSlug(name, fallback)
  let candidate = slug
  for (let number = 2; slugs.has(candidate); number++) candidate = `${slug}-${number}`
  return candidate
}
