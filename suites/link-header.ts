import type { Answer } from '../harness/answer.ts'
import { expectThat, Finding } from '../harness/finding.ts'
import type { RegistryClient } from '../harness/registry-client.ts'

/** One link of a Link header: https://www.rfc-editor.org/rfc/rfc8288#section-3 */
export interface Link {
  /** As it stands between the angle brackets. */
  readonly target: string
  /** Lower case, as relation types are compared without case. */
  readonly relations: readonly string[]
}

const oneLink =
  /^[\s,]*<([^>]*)>((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)\s*/
const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+)))?/g

/** The links of a header, or `undefined` where it breaks the grammar. */
export function parseLinks(header: string): readonly Link[] | undefined {
  const links: Link[] = []
  let rest = header
  while (rest.trim() !== '') {
    const match = oneLink.exec(rest)
    if (!match) return undefined
    const [whole, target = '', parameters = ''] = match
    links.push({ target, relations: relationsOf(parameters) })
    rest = rest.slice(whole.length)
    if (rest !== '' && !rest.startsWith(',')) return undefined
  }
  return links
}

/** Only the first `rel` counts. */
function relationsOf(parameters: string): readonly string[] {
  const rel = [...parameters.matchAll(parameter)].find(([, name]) => name?.toLowerCase() === 'rel')
  return (rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/).filter(Boolean)
}

/** The absolute URL of the next page, or `undefined` where the answer has no Link. A Link that tells none is a finding. */
export function nextPage(answer: Answer): string | undefined {
  const header = answer.header('link')
  if (header === undefined) return undefined
  const next = parseLinks(header)?.find(({ relations }) => relations.includes('next'))
  if (!next || !URL.canParse(next.target, answer.url)) {
    throw new Finding('Link: <URL>; rel="next"', `Link: ${header}`)
  }
  return new URL(next.target, answer.url).href
}

/** Follows the Links from a page to the last one; more than `most` pages are a finding. */
export async function walkPages(
  client: RegistryClient,
  first: Answer,
  most: number,
): Promise<readonly Answer[]> {
  const pages = [first]
  let next = nextPage(first)
  while (next !== undefined && pages.length < most) {
    const page = await client.get(next, { fresh: true })
    pages.push(page)
    next = nextPage(page)
  }
  expectThat(next === undefined, `at most ${most} pages`, `a Link on page ${pages.length}: ${next}`)
  return pages
}
