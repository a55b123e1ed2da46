import { faultKinds } from '../../../../harness/fault-kinds.ts'
import type { Seams } from '../../../../mocks/control/fault.ts'
import { storing } from '../../seams.faults.ts'
import { asksFor, reasking, retaggingWhere } from './seams.faults.ts'

const { corruption, interoperability } = faultKinds<Seams>()

const walk = 'oci.discovery.tags.link.walk'
const exclusive = 'oci.discovery.tags.last.exclusive'
const withN = 'oci.discovery.tags.last.with-n'
const missingTag = 'oci.discovery.tags.last.missing-tag'
const relNext = 'oci.discovery.tags.link.rel-next'

const hasLast = (request: Request) => asksFor(request, 'last') !== null

/** Reads a last that is no tag in another way. */
const readingUnknown = (change: (last: string, tags: readonly string[]) => string): Seams =>
  storing('tags', (tags) => ({
    async list(name, page) {
      const all = await tags.list(name, { last: '', limit: 100 })
      const last = page.last === '' || all.includes(page.last) ? page.last : change(page.last, all)
      return tags.list(name, { ...page, last })
    },
  }))

export const faults = [
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
    retaggingWhere(hasLast, (tags, request) => [asksFor(request, 'last') ?? '', ...tags]),
  ),
  interoperability(
    'oci.discovery.tags.last-without-n',
    'last without n empties the list',
    ['oci.discovery.tags.last.without-n'],
    retaggingWhere(
      (request) => hasLast(request) && asksFor(request, 'n') === null,
      () => [],
    ),
  ),
  interoperability(
    'oci.discovery.tags.last-n-ignored',
    'n is ignored where last is given',
    [withN],
    reasking((query) => query.has('last') && query.delete('n')),
    'takes a page of any length',
  ),
  corruption(
    'oci.discovery.tags.last-page-lost',
    'what would be less than a page after last is left out',
    [withN, walk],
    retaggingWhere(hasLast, (tags, request) => (tags.length < Number(asksFor(request, 'n')) ? [] : tags)),
    'asks for the whole list',
  ),
  interoperability(
    'oci.discovery.tags.last-must-exist',
    'the list begins anew after a last that is no tag',
    [missingTag],
    readingUnknown(() => ''),
  ),
  interoperability(
    'oci.discovery.tags.last-unknown-empty',
    'nothing follows a last that is no tag',
    [missingTag],
    readingUnknown(() => '~'),
  ),
  interoperability(
    'oci.discovery.tags.last-past-end',
    'the list begins anew after a last that is behind its end',
    [missingTag],
    readingUnknown((last, all) => (last > (all.at(-1) ?? '') ? '' : last)),
  ),
]
