import { faultKinds } from '../../../../harness/fault-kinds.ts'
import { to, withBody, withHeaders } from '../../../../harness/rewrite.ts'
import type { Seams } from '../../../../mocks/control/fault.ts'
import { misread, storing } from '../../seams.faults.ts'
import { changing } from '../../wire.ts'

const { corruption, interoperability } = faultKinds<Seams>()
const list = /\/referrers\/[^/]+$/
const filtersApplied = 'oci-filters-applied'

const filter = 'oci.discovery.referrers.filter'
const honest = 'oci.discovery.referrers.filter.honest'
const paged = 'oci.discovery.referrers.filter.paged'
const link = 'oci.discovery.referrers.link'
const relNext = 'oci.discovery.referrers.link.rel-next'

const asked = ({ url }: Request) => new URL(url).searchParams.get('artifactType')
const unfiltered: Seams = storing('manifests', (manifests) => ({
  referrers: (name, subject, { artifactType: _, ...page }) => manifests.referrers(name, subject, page),
}))

export const faults = [
  interoperability(
    'oci.discovery.referrers.filter-claimed',
    'OCI-Filters-Applied is sent, and the list is not filtered',
    [honest, filter],
    unfiltered,
    'filters by itself',
  ),
  interoperability(
    'oci.discovery.referrers.filter-always',
    'OCI-Filters-Applied is sent where no filter was asked for',
    [honest],
    {
      registry: changing('GET', list, (response) =>
        withHeaders(response, { [filtersApplied]: 'artifactType' }),
      ),
    },
  ),
  interoperability(
    'oci.discovery.referrers.filter-silent',
    'the list is filtered, and nothing says so',
    ['oci.discovery.referrers.filter.header', honest],
    {
      registry: changing('GET', list, (response) => withHeaders(response, { [filtersApplied]: null })),
    },
  ),
  interoperability(
    'oci.discovery.referrers.filter-silent-again',
    'a filtered list that was asked for before comes from a cache, which keeps no OCI-Filters-Applied',
    ['oci.discovery.referrers.filter.header'],
    {
      registry: (next) => {
        const asked = new Set<string>()
        return async (request, context) => {
          const answer = await next(request, context)
          const before = asked.has(request.url)
          asked.add(request.url)
          const cached = before && to('GET', list)(request) && answer.headers.has(filtersApplied)
          return cached ? withHeaders(answer, { [filtersApplied]: null }) : answer
        }
      },
    },
  ),
  interoperability(
    'oci.discovery.referrers.filter-header-other',
    'OCI-Filters-Applied names the value and not the filter',
    ['oci.discovery.referrers.filter.header'],
    {
      registry: changing('GET', list, (response, request) =>
        response.headers.has(filtersApplied)
          ? withHeaders(response, { [filtersApplied]: asked(request) })
          : response,
      ),
    },
  ),
  interoperability(
    'oci.discovery.referrers.filter-inverted',
    'the filter leaves out what it should keep',
    [filter, honest],
    storing('manifests', (manifests) => ({
      async referrers(name, subject, { artifactType: type, ...page }) {
        const all = await manifests.referrers(name, subject, page)
        return type === undefined ? all : all.filter((one) => one.artifactType !== type)
      },
    })),
  ),
  interoperability(
    'oci.discovery.referrers.filter-none-all',
    'a filter that nothing passes is left out of account',
    [filter],
    storing('manifests', (manifests) => ({
      async referrers(name, subject, { artifactType: type, ...page }) {
        const found = await manifests.referrers(name, subject, {
          ...page,
          ...(type && { artifactType: type }),
        })
        return found.length > 0 ? found : manifests.referrers(name, subject, page)
      },
    })),
    'filters by itself',
  ),
  interoperability(
    'oci.discovery.referrers.filter-plus',
    'a plus sign in the type to filter by is read as a space',
    [filter, 'oci.discovery.referrers.filter.encoding'],
    {
      registry: misread(to('GET', list), ({ url }) => {
        const type = url.searchParams.get('artifactType')
        const read = `artifactType=${encodeURIComponent((type ?? '').replace('+', ' '))}`
        if (type !== null) url.search = url.search.replace(/artifactType=[^&]*/, read)
        return { url }
      }),
    },
  ),
  interoperability(
    'oci.discovery.referrers.filter-raw',
    'the type to filter by is not percent-decoded',
    ['oci.discovery.referrers.filter.encoding'],
    {
      registry: (next) => async (request, context) => {
        const answer = await next(request, context)
        return to('GET', list)(request) && request.url.includes('%2f')
          ? withBody(answer, () => JSON.stringify({ schemaVersion: 2, manifests: [] }))
          : answer
      },
    },
  ),
  interoperability(
    'oci.discovery.referrers.filter-first-page',
    'only the first page is filtered',
    [paged],
    storing('manifests', (manifests) => ({
      async referrers(name, subject, { artifactType: type, ...page }) {
        const filtered = type === undefined || page.last !== '' ? page : { ...page, artifactType: type }
        const found = await manifests.referrers(name, subject, filtered)
        const whole = await manifests.referrers(name, subject, { limit: 100, last: '' })
        const others = whole.filter(
          (one) => one.artifactType !== type && type !== undefined && page.last !== '',
        )
        return [...others.filter((one) => !found.includes(one)), ...found]
      },
    })),
  ),
  corruption(
    'oci.discovery.referrers.link-skips',
    'a referrer is lost at each page border',
    [link, paged],
    storing('manifests', (manifests) => ({
      referrers: async (name, subject, page) =>
        (await manifests.referrers(name, subject, page)).slice(page.last === '' ? 0 : 1),
    })),
  ),
  interoperability(
    'oci.discovery.referrers.link-loops',
    'the Link of a long list leads to the same page again',
    [link, relNext, paged],
    {
      registry: misread(to('GET', list), ({ url }) => {
        url.searchParams.delete('last')
        return { url }
      }),
    },
    'stops when a page repeats',
  ),
  interoperability(
    'oci.discovery.referrers.link-bare',
    'the Link of a long list is a bare URL',
    [relNext, link],
    {
      registry: changing('GET', list, (response) => {
        const header = response.headers.get('link')
        return header === null ? response : withHeaders(response, { link: header.replace(/^<|>.*$/g, '') })
      }),
    },
  ),
  interoperability(
    'oci.discovery.referrers.link-page-json',
    'the second page of a long list is no index',
    [link, relNext],
    {
      registry: changing('GET', list, (response, { url }) =>
        new URL(url).searchParams.has('last') ? withBody(response, () => '[]') : response,
      ),
    },
  ),
]
