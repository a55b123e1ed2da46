import { faultKinds } from '../../harness/fault-kinds.ts'
import { to, withBody, withHeaders, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { misread, storing } from '../oci/seams.faults.ts'
import { changing, rewording, unknownIs, type Wire } from '../oci/wire.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const catalog = /\/v2\/_catalog$/
const all = ['service.catalog.200']
const shape = ['service.catalog.shape']
const paged = ['service.catalog.sorted-paged']
const counted = ['service.catalog.n-respected']

/** Changes the names on every page. */
const naming = (change: (names: readonly string[]) => unknown): Seams => ({
  registry: rewording(catalog, (text) =>
    JSON.stringify({ repositories: change(JSON.parse(text).repositories) }),
  ),
})

/** Reads another query than the client sent. */
const querying = (change: (query: URLSearchParams) => unknown): Seams => ({
  registry: misread(to('GET', catalog), ({ url }) => {
    change(url.searchParams)
    return { url }
  }),
})

const linking = (change: (link: string) => string | null): Seams => ({
  registry: changing('GET', catalog, (response) => {
    const link = response.headers.get('link')
    return link === null ? response : withHeaders(response, { link: change(link) })
  }),
})

export const faults = [
  interoperability('service.catalog.404', 'there is no catalogue', [...all, 'service.catalog.after-push'], {
    registry: (next: Wire): Wire =>
      unknownIs('GET', catalog, 405)(changing('GET', catalog, (response) => withStatus(response, 404))(next)),
  }),
  interoperability(
    'service.catalog.203',
    'the catalogue answers 203, as through a proxy that changes answers',
    all,
    {
      registry: changing('GET', catalog, (response) => withStatus(response, 203)),
    },
  ),
  corruption(
    'service.catalog.nested-missing',
    'the catalogue leaves out repositories that lie deeper than the others',
    all,
    naming((names) => {
      const shortest = Math.min(...names.map((name) => name.split('/').length))
      return names.filter((name) => name.split('/').length <= shortest + 2)
    }),
  ),
  corruption(
    'service.catalog.cut',
    'the catalogue ends after its first name, and no Link leads on',
    all,
    naming((names) => names.slice(0, 1)),
  ),
  corruption(
    'service.catalog.cached',
    'the catalogue is made once and never again',
    ['service.catalog.after-push'],
    {
      registry: (next: Wire): Wire => {
        const made = new Map<string, Response>()
        return async (request, context) => {
          if (!to('GET', catalog)(request)) return next(request, context)
          const answer = made.get(request.url) ?? (await next(request, context))
          if (answer.status === 200) made.set(request.url, answer)
          return answer.clone()
        }
      },
    },
  ),
  interoperability(
    'service.catalog.tagged-only',
    'a repository is in the catalogue from its first tag on',
    ['service.catalog.after-push'],
    storing('repositories', ({ list }, { tags }) => ({
      async list(page) {
        const names = await list(page)
        const tagged = await Promise.all(names.map((name) => tags.list(name, { limit: 1, last: '' })))
        return names.filter((_, i) => tagged[i]?.length)
      },
    })),
  ),
  interoperability(
    'service.catalog.null',
    'repositories is null',
    shape,
    naming(() => null),
  ),
  interoperability(
    'service.catalog.empty',
    'the catalogue is empty',
    shape,
    naming(() => []),
  ),
  interoperability(
    'service.catalog.objects',
    'the catalogue has objects where names should be',
    shape,
    naming((names) => names.map((name) => ({ name }))),
  ),
  interoperability('service.catalog.bare', 'the catalogue is a list and no object', shape, {
    registry: rewording(catalog, (text) => JSON.stringify(JSON.parse(text).repositories)),
  }),
  interoperability('service.catalog.text', 'the catalogue is text, a name a line', shape, {
    registry: rewording(catalog, (text) => JSON.parse(text).repositories.join('\n')),
  }),
  interoperability(
    'service.catalog.twice',
    'names stand in the catalogue twice',
    shape,
    naming((names) => [...names, ...names]),
  ),
  interoperability(
    'service.catalog.with-host',
    'names in the catalogue carry the host of the registry',
    shape,
    naming((names) => names.map((name) => `registry.example:5000/${name}`)),
  ),
  interoperability(
    'service.catalog.unsorted',
    'the catalogue is in no order',
    paged,
    naming((names) => [...names].reverse()),
  ),
  interoperability(
    'service.catalog.last-ignored',
    'last is ignored',
    paged,
    querying((query) => query.delete('last')),
  ),
  corruption('service.catalog.last-included', 'a page begins with the name that last gives', paged, {
    registry: (next: Wire): Wire => {
      const given = (url: URL) => url.searchParams.get('last')
      return misread(to('GET', catalog), ({ url }) => {
        // Names are in order, so what sorts just before the name is the name without its end.
        if (given(url)) url.searchParams.set('last', `${given(url)?.slice(0, -1)}`)
        return { url }
      })(next)
    },
  }),
  interoperability(
    'service.catalog.no-link',
    'no Link leads to the next page',
    paged,
    linking(() => null),
  ),
  interoperability(
    'service.catalog.link-back',
    'Link leads back to the first page',
    paged,
    linking((link) => link.replace(/&last=[^>&]*|last=[^>&]*&/, '')),
  ),
  corruption(
    'service.catalog.link-gap',
    'Link leads on one name too late',
    paged,
    linking((link) => link.replace(/%2Fb(?=[>&])/, '%2Fc')),
  ),
  interoperability(
    'service.catalog.n-ignored',
    'n is ignored',
    counted,
    querying((query) => query.delete('n')),
  ),
  interoperability(
    'service.catalog.n-one-more',
    'a page has one name more than n',
    counted,
    querying((query) => query.has('n') && query.set('n', `${Number(query.get('n')) + 1}`)),
  ),
  corruption('service.catalog.n-one-less', 'a page has one name less than n, and no Link', counted, {
    registry: (next: Wire): Wire =>
      linking(() => null).registry?.(
        naming((names) => (names.length === 2 ? names.slice(1) : names)).registry?.(next) ?? next,
      ) ?? next,
  }),
  corruption(
    'service.catalog.first-page-empty',
    'the first page that is asked for by last is empty, and only its Link is right',
    paged,
    {
      registry: (next: Wire): Wire => {
        let asked = 0
        return changing('GET', catalog, (response, { url }) => {
          asked += new URL(url).searchParams.has('last') ? 1 : 0
          return asked === 1 ? withBody(response, () => '{"repositories":[]}') : response
        })(next)
      },
    },
  ),
]
