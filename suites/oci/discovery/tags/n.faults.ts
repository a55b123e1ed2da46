import { faultKinds } from '../../../../harness/fault-kinds.ts'
import { withBody, withHeaders, withStatus } from '../../../../harness/rewrite.ts'
import type { Seams } from '../../../../mocks/control/fault.ts'
import { restatus } from '../../seams.faults.ts'
import { changing } from '../../wire.ts'
import { asksFor, list, reasking, retaggingWhere, type TagList } from './seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const exact = 'oci.discovery.tags.n.exact'
const zero = 'oci.discovery.tags.n.zero'

export const faults = [
  interoperability(
    'oci.discovery.tags.n-ignored',
    'n is ignored',
    [exact, zero],
    reasking((query) => query.delete('n')),
    'takes a page of any length',
  ),
  interoperability(
    'oci.discovery.tags.n-one-more',
    'a page has one entry more than n',
    [exact],
    reasking((query) => query.has('n') && query.set('n', String(Number(query.get('n')) + 1))),
  ),
  interoperability(
    'oci.discovery.tags.n-one-less',
    'a page has one entry less than n, and the last has no Link',
    [exact],
    {
      registry: changing('GET', list, (response, request) =>
        asksFor(request, 'n') === null
          ? response
          : withBody(withHeaders(response, { link: null }), (body) => {
              const { name, tags } = JSON.parse(Buffer.from(body).toString()) as TagList
              return JSON.stringify({ name, tags: tags.slice(0, -1) })
            }),
      ),
    },
  ),
  interoperability(
    'oci.discovery.tags.n-zero-all',
    'n=0 lists everything',
    [zero],
    reasking((query) => query.get('n') === '0' && query.delete('n')),
  ),
  interoperability('oci.discovery.tags.n-zero-link', 'n=0 has a Link', [zero], {
    registry: changing('GET', list, (response, request) =>
      asksFor(request, 'n') === '0'
        ? withHeaders(response, { link: `<${new URL(request.url).pathname}?n=0>; rel="next"` })
        : response,
    ),
  }),
  interoperability('oci.discovery.tags.n-huge-500', 'a large n answers 500', ['oci.discovery.tags.n.huge'], {
    registry: changing('GET', list, (response, request) =>
      Number(asksFor(request, 'n')) > 1000 ? withStatus(response, 500) : response,
    ),
  }),
  corruption(
    'oci.discovery.tags.n-huge-cut',
    'a large n lists two tags without a Link',
    ['oci.discovery.tags.n.huge'],
    retaggingWhere(
      (request) => Number(asksFor(request, 'n')) > 1000,
      (tags) => tags.slice(0, 2),
    ),
  ),
  interoperability(
    'oci.discovery.tags.n-invalid-500',
    'an n that is no number answers 500',
    ['oci.discovery.tags.n.invalid'],
    restatus('GET', list, 400, 500),
  ),
  interoperability(
    'oci.discovery.tags.n-invalid-none',
    'an n that is no number is read as 0',
    ['oci.discovery.tags.n.invalid'],
    reasking((query) => /[^0-9]/.test(query.get('n') ?? '') && query.set('n', '0')),
  ),
]
