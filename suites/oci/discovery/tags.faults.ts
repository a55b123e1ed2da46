import { faultKinds } from '../../../harness/fault-kinds.ts'
import { rewriting, to } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { restatus, storing } from '../seams.faults.ts'
import { changing, errorAnswer, having, setting } from '../wire.ts'
import { asksFor, list, relisting, retagging, retaggingWhere } from './tags/seams.faults.ts'

const { corruption, security, interoperability, cosmetic } = faultKinds<Seams>()
const shape = ['oci.discovery.tags.json-shape']
const complete = 'oci.discovery.tags.complete'
const order = 'oci.discovery.tags.order'
const exact = 'oci.discovery.tags.n.exact'

export const faults = [
  interoperability('oci.discovery.tags.204', 'the list of tags answers 204', ['oci.discovery.tags.200'], {
    registry: changing('GET', list, () => new Response(null, { status: 204 })),
  }),
  interoperability(
    'oci.discovery.tags.404',
    'tags cannot be listed',
    ['oci.discovery.tags.200'],
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
    [...shape, complete, order],
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
    'oci.discovery.tags.pages-reversed',
    'the tags of a page are in reverse order, and those of the whole list are not',
    [order],
    retaggingWhere(
      (request) => asksFor(request, 'n') !== null,
      (tags) => tags.toReversed(),
    ),
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
  security(
    'oci.discovery.tags.of-outer',
    'the list has the tags of the repository above it too',
    ['oci.discovery.tags.filtered-by-repo'],
    storing('tags', (tags) => ({
      async list(name, page) {
        const names = [name, name.replace(/\/[^/]+$/, '')]
        return (await Promise.all(names.map((one) => tags.list(one, page)))).flat().sort()
      },
    })),
  ),
]
