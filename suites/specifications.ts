import type { Source } from '../harness/requirement.ts'

/** Cites a section by its heading, and by its anchor where it has one. */
export type Cite = (section: string, anchor?: string) => Source

const document =
  (name: string, base: string): Cite =>
  (section, anchor = '') => ({ document: name, section, url: `${base}${anchor}` })

/** OCI Distribution 1.1.1; what only its main branch has is cited from `ociDistributionMain`. */
export const ociDistribution = document(
  'OCI Distribution Specification 1.1.1',
  'https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md',
)

export const ociDistributionMain = document(
  'OCI Distribution Specification (main)',
  'https://github.com/opencontainers/distribution-spec/blob/main/spec.md',
)

/** The specification of the service, told in `docs/service.md`; sections by the anchors of that page. */
export const theService = document('Registry service and platform API', 'docs/service.md')

/** The documents of the distribution project, which token services and older clients follow: `distributionDocs('auth/token')('…')`. */
export const distributionDocs = (page: string): Cite =>
  document(`Distribution: ${page}`, `https://distribution.github.io/distribution/spec/${page}/`)

/** `rfc(9110)('14.2')` */
export const rfc =
  (number: number) =>
  (section: string): Source => ({
    document: `RFC ${number}`,
    section,
    url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
  })

export const kuboRpc = document('Kubo RPC', 'https://docs.ipfs.tech/reference/kubo/rpc/')
export const kuboConfig = document(
  'Kubo configuration',
  'https://github.com/ipfs/kubo/blob/master/docs/config.md',
)
export const unixfs = document('UnixFS', 'https://specs.ipfs.tech/unixfs/')
export const pathGateway = document(
  'IPFS Path Gateway Specification',
  'https://specs.ipfs.tech/http-gateways/path-gateway/',
)
export const trustlessGateway = document(
  'IPFS Trustless Gateway Specification',
  'https://specs.ipfs.tech/http-gateways/trustless-gateway/',
)

export const graphqlLanguage = document('GraphQL, October 2021', 'https://spec.graphql.org/October2021/')
export const graphqlOverHttp = document(
  'GraphQL over HTTP (draft)',
  'https://graphql.github.io/graphql-over-http/draft/',
)
export const fetchStandard = document('Fetch Standard', 'https://fetch.spec.whatwg.org/')
