import { faultKinds } from '../../../../harness/fault-kinds.ts'
import { withHeaders } from '../../../../harness/rewrite.ts'
import type { Seams } from '../../../../mocks/control/fault.ts'
import { changing } from '../../wire.ts'
import { asksFor, list, relinking, retaggingWhere } from './seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const walk = 'oci.discovery.tags.link.walk'
const withN = 'oci.discovery.tags.last.with-n'
const relNext = 'oci.discovery.tags.link.rel-next'
const atEnd = 'oci.discovery.tags.link.absent-at-end'

export const faults = [
  interoperability(
    'oci.discovery.tags.link-bare',
    'the Link is a bare URL',
    [relNext],
    relinking((link) => link.replace(/^<|>.*$/g, '')),
  ),
  interoperability(
    'oci.discovery.tags.link-no-rel',
    'the Link has no rel',
    [relNext],
    relinking((link) => link.replace(/;.*$/, '')),
  ),
  interoperability(
    'oci.discovery.tags.link-prev',
    'the Link to the next page has rel="prev"',
    [relNext],
    relinking((link) => link.replace('next', 'prev')),
  ),
  interoperability(
    'oci.discovery.tags.link-other-path',
    'the Link leads to another path',
    [relNext],
    relinking((link) => link.replace('/tags/list', '/tags')),
  ),
  interoperability(
    'oci.discovery.tags.link-loops',
    'the Link leads to the same page again',
    [walk, relNext],
    relinking((_, { url }) => `<${new URL(url).pathname}${new URL(url).search}>; rel="next"`),
    'stops when a page repeats',
  ),
  corruption(
    'oci.discovery.tags.link-skips',
    'one tag is lost at each page border',
    [walk, withN],
    retaggingWhere(
      (request) => asksFor(request, 'last') !== null,
      (tags) => tags.slice(1),
    ),
  ),
  interoperability(
    'oci.discovery.tags.link-at-end',
    'the last page has a Link to an empty one',
    [atEnd],
    {
      registry: changing('GET', list, (response, request) => {
        const { pathname, searchParams } = new URL(request.url)
        const n = searchParams.get('n')
        return response.headers.has('link') || n === null || n === '0' || searchParams.get('last') === 'zz'
          ? response
          : withHeaders(response, { link: `<${pathname}?n=${n}&last=zz>; rel="next"` })
      }),
    },
    'takes an empty page for the end',
  ),
  interoperability(
    'oci.discovery.tags.link-endless',
    'the Links lead on for ever, to empty pages',
    [walk],
    {
      registry: changing('GET', list, (response, { url }) =>
        response.headers.has('link') || !new URL(url).searchParams.has('n')
          ? response
          : withHeaders(response, { link: `<${new URL(url).pathname}?n=3&last=~>; rel="next"` }),
      ),
    },
    'takes an empty page for the end',
  ),
]
