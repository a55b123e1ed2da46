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

/** The edition after 1.1, which is not released yet. */
export const ociDistributionMain = document(
  'OCI Distribution Specification (main)',
  'https://github.com/opencontainers/distribution-spec/blob/main/spec.md',
)

/** What the reference implementation documents where the specification is silent. */
export const distributionDocs = document(
  'Distribution documentation',
  'https://github.com/distribution/distribution/blob/main/docs/content/spec',
)

export const httpSemantics = document('RFC 9110', 'https://www.rfc-editor.org/rfc/rfc9110.html')
