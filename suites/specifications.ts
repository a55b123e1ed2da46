import type { Source } from '../harness/requirement.ts'

type Cite = (section: string, anchor?: string) => Source

const document =
  (name: string, base: string): Cite =>
  (section, anchor = '') => ({
    document: name,
    section,
    url: `${base}${anchor}`,
  })

/** The documents that requirements come from: each cites a section by its heading and its anchor. */
export const ociDistribution = document(
  'OCI Distribution Specification',
  'https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md',
)

/** A section of an RFC by its number. */
export const rfc = (number: number, section: string): Source => ({
  document: `RFC ${number}`,
  section,
  url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
})
