import { withholding } from '../../../harness/fault.ts'
import { answering, rewriting, to, withHeaders } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { misread, storing } from '../seams.faults.ts'
import { variation } from '../variation.faults.ts'
import { changing, errorAnswer, rewording } from '../wire.ts'

const tags = /\/tags\/list$/
const referrers = /\/referrers\/[^/]+$/
const lists = /\/tags\/list$|\/referrers\/[^/]+$|\/_catalog$/

/** No page is longer than this. */
const paged = (where: RegExp, most: number): Seams => ({
  registry: misread(to('GET', where), ({ url }) => {
    const n = url.searchParams.get('n')
    if (n === null || (/^\d+$/.test(n) && Number(n) > most)) url.searchParams.set('n', `${most}`)
    return { url }
  }),
})

const linking = (change: (link: string, url: URL) => string): Seams => ({
  registry: changing('GET', lists, (response, { url }) => {
    const link = response.headers.get('link')
    return link === null ? response : withHeaders(response, { link: change(link, new URL(url)) })
  }),
})

const inOrder = (text: string) => text.toLowerCase() + text

export const variations = [
  variation(
    'oci.variation.tags-short-pages',
    'no page of tags has more than two, and Link leads on',
    paged(tags, 2),
  ),
  variation(
    'oci.variation.referrers-paged',
    'each page of referrers has one, and Link leads on',
    paged(referrers, 1),
  ),
  variation(
    'oci.variation.tags-in-other-order',
    'tags are in an order that does not look at capitals',
    storing('tags', ({ list }) => ({
      async list(name, { limit, last }) {
        const all = await list(name, { limit: 100_000, last: '' })
        const sorted = all.sort((a, b) => (inOrder(a) < inOrder(b) ? -1 : 1))
        return sorted.filter((tag) => inOrder(tag) > inOrder(last)).slice(0, limit)
      },
    })),
  ),
  variation(
    'oci.variation.tags-more-members',
    'a list of tags has members that the specification does not name',
    {
      registry: rewording(tags, (text) =>
        JSON.stringify({ ...JSON.parse(text), total: 1, child: [], manifest: {} }),
      ),
    },
  ),
  variation('oci.variation.tags-charset', 'a list of tags names its charset', {
    registry: changing('GET', tags, (response) =>
      withHeaders(response, { 'content-type': 'application/json; charset=utf-8' }),
    ),
  }),
  variation(
    'oci.variation.links-absolute',
    'every Link is absolute',
    linking((link, url) => link.replace(/<([^>]*)>/, (_, to) => `<${new URL(to, url).href}>`)),
  ),
  variation(
    'oci.variation.links-unquoted',
    'rel of a Link is not quoted',
    linking((link) => link.replace('rel="next"', 'rel=next')),
  ),
  variation(
    'oci.variation.links-more',
    'beside the Link to the next page there are others',
    linking((link) => `</docs>; rel="help"; title="a, b", ${link}; title="next page"`),
  ),
  variation('oci.variation.links-opaque', 'Link has a cursor instead of last', {
    registry: (next) =>
      changing('GET', lists, (response) => {
        const link = response.headers.get('link')
        return link === null
          ? response
          : withHeaders(response, {
              link: link.replace(
                /last=([^&>]*)/,
                (_, last) => `cursor=${Buffer.from(decodeURIComponent(last)).toString('base64url')}`,
              ),
            })
      })(
        misread(
          ({ url }) => url.includes('cursor='),
          ({ url }) => {
            url.searchParams.set(
              'last',
              Buffer.from(url.searchParams.get('cursor') ?? '', 'base64url').toString(),
            )
            url.searchParams.delete('cursor')
            return { url }
          },
        )(next),
      ),
  }),
  withholding(
    variation('oci.variation.no-referrers', 'there is no API of referrers', {
      registry: (next) =>
        rewriting(to('PUT', /\/manifests\//), (response) => withHeaders(response, { 'oci-subject': null }))(
          answering(
            (request) => to('*', referrers)(request) && request.headers.has('authorization'),
            () => errorAnswer(404, 'UNSUPPORTED'),
          )(next),
        ),
    }),
  ),
  withholding(
    variation(
      'oci.variation.referrers-no-filter',
      'referrers are not filtered, and OCI-Filters-Applied is not sent',
      {
        registry: misread(to('GET', referrers), ({ url }) => {
          url.searchParams.delete('artifactType')
          return { url }
        }),
      },
    ),
  ),
  variation('oci.variation.referrers-reversed', 'referrers come in another order', {
    registry: rewording(referrers, (text) => {
      const index = JSON.parse(text)
      return JSON.stringify({ ...index, manifests: index.manifests.reverse() })
    }),
  }),
  variation('oci.variation.referrers-annotated', 'the index of referrers has annotations of its own', {
    registry: rewording(referrers, (text) =>
      JSON.stringify({ ...JSON.parse(text), annotations: { 'org.example.made': 'now' } }),
    ),
  }),
]
