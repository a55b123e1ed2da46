import { faultKinds } from '../../../harness/fault-kinds.ts'
import { rewriting, to, withBody, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { misread, restatus, storing } from '../seams.faults.ts'
import { changing, errorAnswer, having, rewording, setting } from '../wire.ts'

const { corruption, security, interoperability, cosmetic } = faultKinds<Seams>()
const list = /\/tags\/list$/

const shape = ['oci.discovery.tags.json-shape']
const complete = 'oci.discovery.tags.complete'
const order = 'oci.discovery.tags.order'
const exact = 'oci.discovery.tags.n.exact'
const walk = 'oci.discovery.tags.link.walk'
const exclusive = 'oci.discovery.tags.last.exclusive'
const withN = 'oci.discovery.tags.last.with-n'
const missingTag = 'oci.discovery.tags.last.missing-tag'
const relNext = 'oci.discovery.tags.link.rel-next'
const atEnd = 'oci.discovery.tags.link.absent-at-end'
const zero = 'oci.discovery.tags.n.zero'

interface TagList {
  readonly name: string
  readonly tags: readonly string[]
}

/** Changes the JSON of the list. */
const relisting = (change: (list: TagList) => unknown): Seams => ({
  registry: rewording(list, (text) => JSON.stringify(change(JSON.parse(text)))),
})
const retagging = (change: (tags: readonly string[]) => unknown): Seams =>
  relisting(({ name, tags }) => ({ name, tags: change(tags) }))

/** Changes what the query asks for. */
const reasking = (change: (query: URLSearchParams) => void): Seams => ({
  registry: misread(to('GET', list), ({ url }) => {
    change(url.searchParams)
    return { url }
  }),
})

/** Changes the Link of a page that has one. */
const relinking = (change: (link: string, request: Request) => string | null): Seams => ({
  registry: changing('GET', list, (response, request) => {
    const link = response.headers.get('link')
    return link === null ? response : withHeaders(response, { link: change(link, request) })
  }),
})

const asksFor = ({ url }: Request, name: string) => new URL(url).searchParams.get(name)

/** Leaves out the first tag of every page but the first. */
const borderLost: Seams = {
  registry: changing('GET', list, (response, request) =>
    asksFor(request, 'last') === null
      ? response
      : withBody(response, (body) => {
          const { name, tags } = JSON.parse(Buffer.from(body).toString()) as TagList
          return JSON.stringify({ name, tags: tags.slice(1) })
        }),
  ),
}

export const faults = [
  interoperability('oci.discovery.tags.204', 'the list of tags answers 204', ['oci.discovery.tags.200'], {
    registry: changing('GET', list, () => new Response(null, { status: 204 })),
  }),
  interoperability(
    'oci.discovery.tags.404',
    'tags cannot be listed',
    ['oci.discovery.tags.200', 'oci.discovery.tags.unknown-repo.404'],
    restatus('GET', list, 200, 404),
  ),
  interoperability(
    'oci.discovery.tags.bare',
    'the list of tags is a bare array',
    [...shape, 'oci.discovery.tags.200'],
    relisting(({ tags }) => tags),
  ),
  interoperability(
    'oci.discovery.tags.null',
    'tags are null',
    [...shape, complete],
    retagging(() => null),
  ),
  interoperability(
    'oci.discovery.tags.objects',
    'tags are objects',
    shape,
    retagging((tags) => tags.map((name) => ({ name }))),
  ),
  interoperability(
    'oci.discovery.tags.no-name',
    'the list of tags lacks the name',
    shape,
    relisting(({ tags }) => ({ tags })),
  ),
  interoperability(
    'oci.discovery.tags.short-name',
    'the list of tags has the last part of the name',
    shape,
    relisting(({ name, tags }) => ({ name: name.split('/').at(-1), tags })),
  ),
  cosmetic(
    'oci.discovery.tags.text',
    'the list of tags is labelled text/plain',
    ['oci.discovery.tags.content-type'],
    { registry: setting('GET', list, { 'content-type': 'text/plain; charset=utf-8' }) },
  ),
  corruption(
    'oci.discovery.tags.one-lost',
    'the last tag is not listed',
    [complete, 'oci.discovery.tags.200'],
    retagging((tags) => tags.slice(0, -1)),
  ),
  interoperability(
    'oci.discovery.tags.twice',
    'tags are listed twice',
    [complete, exact],
    retagging((tags) => tags.flatMap((one) => [one, one])),
  ),
  corruption(
    'oci.discovery.tags.cut',
    'the list of tags is cut at 10 without a Link',
    [complete],
    retagging((tags) => tags.slice(0, 10)),
    'asks for more with last',
  ),
  interoperability(
    'oci.discovery.tags.digests',
    'manifests without a tag are listed by their digest',
    ['oci.discovery.tags.no-untagged'],
    {
      stores: ({ manifests, tags, ...rest }) => {
        const pushed = new Map<string, Set<string>>()
        return {
          ...rest,
          manifests: {
            ...manifests,
            put(name, one, given) {
              if (given.length === 0) pushed.set(name, (pushed.get(name) ?? new Set()).add(one.digest))
              return manifests.put(name, one, given)
            },
          },
          tags: {
            ...tags,
            list: async (name, page) => [...(await tags.list(name, page)), ...(pushed.get(name) ?? [])],
          },
        }
      },
    },
  ),
  interoperability(
    'oci.discovery.tags.reversed',
    'tags are in reverse order',
    [order],
    retagging((tags) => tags.toReversed()),
    'sorts by itself',
  ),
  interoperability('oci.discovery.tags.by-time', 'tags are in the order in which they were pushed', [order], {
    stores: ({ manifests, tags, ...rest }) => {
      const pushed = new Map<string, number>()
      return {
        ...rest,
        manifests: {
          ...manifests,
          put(name, one, given) {
            for (const each of given) pushed.set(each, pushed.get(each) ?? pushed.size)
            return manifests.put(name, one, given)
          },
        },
        tags: {
          ...tags,
          list: async (name, page) =>
            (await tags.list(name, page)).sort((a, b) => (pushed.get(a) ?? 0) - (pushed.get(b) ?? 0)),
        },
      }
    },
  }),
  interoperability(
    'oci.discovery.tags.by-length',
    'tags are sorted as versions, numbers first',
    [order],
    retagging((tags) => tags.toSorted((a, b) => b.length - a.length)),
  ),
  interoperability(
    'oci.discovery.tags.empty-null',
    'a list of no tags has an entry that is empty',
    ['oci.discovery.tags.empty'],
    retagging((tags) => (tags.length === 0 ? [''] : tags)),
  ),
  interoperability(
    'oci.discovery.tags.empty-500',
    'the list of a repository without tags answers 500',
    ['oci.discovery.tags.empty'],
    {
      registry: changing('GET', list, async (response) =>
        (await response.clone().text()).includes('"tags":[]') ? errorAnswer(500, 'UNKNOWN') : response,
      ),
    },
  ),
  interoperability(
    'oci.discovery.tags.unknown-200',
    'an unknown repository has a list of no tags',
    ['oci.discovery.tags.unknown-repo.404'],
    {
      registry: rewriting(
        to('GET', list),
        having(404, () => Response.json({ name: 'unknown', tags: [] })),
      ),
    },
  ),
  interoperability(
    'oci.discovery.tags.unknown-500',
    'the tags of an unknown repository answer 500',
    ['oci.discovery.tags.unknown-repo.404'],
    restatus('GET', list, 404, 500),
  ),
  security(
    'oci.discovery.tags.of-nested',
    'the list has the tags of repositories below it too',
    ['oci.discovery.tags.filtered-by-repo'],
    {
      stores: ({ tags, manifests, ...rest }) => {
        const names = new Set<string>()
        return {
          ...rest,
          manifests: {
            ...manifests,
            put(name, one, given) {
              names.add(name)
              return manifests.put(name, one, given)
            },
          },
          tags: {
            ...tags,
            async list(name, page) {
              const below = [...names].filter((one) => one.startsWith(name))
              return (await Promise.all(below.map((one) => tags.list(one, page)))).flat().sort()
            },
          },
        }
      },
    },
  ),
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
    {
      registry: changing('GET', list, (response, request) =>
        Number(asksFor(request, 'n')) > 1000
          ? withBody(response, (body) => {
              const { name, tags } = JSON.parse(Buffer.from(body).toString()) as TagList
              return JSON.stringify({ name, tags: tags.slice(0, 2) })
            })
          : response,
      ),
    },
  ),
  interoperability(
    'oci.discovery.tags.n-invalid-500',
    'an n that is no number answers 500',
    ['oci.discovery.tags.n.invalid'],
    restatus('GET', list, 400, 500),
  ),
  interoperability(
    'oci.discovery.tags.last-ignored',
    'last is ignored, and the same page comes again',
    [exclusive, withN, missingTag, walk, relNext],
    reasking((query) => query.delete('last')),
    'stops when a page repeats',
  ),
  interoperability(
    'oci.discovery.tags.last-inclusive',
    'the list begins with last itself',
    [exclusive, withN, walk],
    {
      registry: changing('GET', list, (response, request) => {
        const last = asksFor(request, 'last')
        return last === null
          ? response
          : withBody(response, (body) => {
              const { name, tags } = JSON.parse(Buffer.from(body).toString()) as TagList
              return JSON.stringify({ name, tags: [last, ...tags] })
            })
      }),
    },
  ),
  interoperability(
    'oci.discovery.tags.last-without-n',
    'last without n empties the list',
    ['oci.discovery.tags.last.without-n'],
    {
      registry: changing('GET', list, (response, request) =>
        asksFor(request, 'last') !== null && asksFor(request, 'n') === null
          ? withBody(response, () => JSON.stringify({ name: 'none', tags: [] }))
          : response,
      ),
    },
  ),
  interoperability(
    'oci.discovery.tags.last-must-exist',
    'the list begins anew after a last that is no tag',
    [missingTag],
    storing('tags', (tags, { manifests }) => ({
      list: async (name, page) =>
        tags.list(name, (await manifests.find(name, page.last)) ? page : { ...page, last: '' }),
    })),
  ),
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
    borderLost,
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
]
