import { faultKinds } from '../../../harness/fault-kinds.ts'
import { rewriting, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { misread, storing, withQuery } from '../seams.faults.ts'
import { errorAnswer, having, path, type Wire } from '../wire.ts'

const { corruption, security, interoperability } = faultKinds<Seams>()

const given = ['oci.push.manifest.tag-param.supported']
const told = ['oci.push.manifest.tag-param.oci-tag']
const effective = ['oci.push.manifest.tag-param.effective']
const ten = ['oci.push.manifest.tag-param.ten']
const many = ['oci.push.manifest.tag-param.too-many']
const bad = ['oci.push.manifest.tag-param.invalid-tag']

const tagged = withQuery('PUT', path.manifestDigest, 'tag')
const tagsOf = (request: Request) => new URL(request.url).searchParams.getAll('tag')

/** Tells other tags than were made. */
const telling = (tags: (asked: readonly string[]) => readonly string[] | null): Seams => ({
  registry: rewriting(
    tagged,
    having(201, (response, request) =>
      withHeaders(response, { 'oci-tag': tags(tagsOf(request))?.join(', ') ?? null }),
    ),
  ),
})

/** Makes other tags than were asked for, and tells those that were. */
const making = (tags: (asked: readonly string[]) => readonly string[]): Seams =>
  storing('manifests', (manifests) => ({
    put: (name, manifest, asked) => manifests.put(name, manifest, asked.length > 1 ? tags(asked) : asked),
  }))

/** Answers a push with so many tags itself. */
const beyond =
  (most: number, answer: (taken: Response) => Response) =>
  (next: Wire): Wire =>
  async (request, context) => {
    const isBeyond = tagged(request) && tagsOf(request).length > most
    return isBeyond ? answer(await next(request, context)) : next(request, context)
  }

/** Takes only the first tags, and answers for the rest. */
const taking = (most: number, answer: (taken: Response) => Response): Seams => ({
  registry: (next) =>
    beyond(
      most,
      answer,
    )(
      misread(tagged, ({ url }) => {
        const asked = url.searchParams.getAll('tag')
        url.search = asked
          .slice(0, most)
          .map((tag) => `tag=${tag}`)
          .join('&')
        return { url }
      })(next),
    ),
})

export const faults = [
  interoperability(
    'oci.push.manifest.tags-202',
    'a push with several tags answers 202, and creates them',
    [...given, ...ten],
    { registry: beyond(1, (response) => withStatus(response, 202)) },
  ),
  corruption(
    'oci.push.manifest.tags-first-only',
    'of several tags only the first is created',
    [...given, ...told, ...effective, ...ten],
    making((asked) => asked.slice(0, 1)),
    'reads back the tags that it needs',
  ),
  corruption(
    'oci.push.manifest.tags-last-only',
    'of several tags only the last is created',
    [...given, ...ten],
    making((asked) => asked.slice(-1)),
  ),
  interoperability(
    'oci.push.manifest.tags-told-first',
    'OCI-Tag tells only the first of the tags that were created',
    [...told, ...effective, ...ten],
    telling((asked) => asked.slice(0, 1)),
  ),
  interoperability(
    'oci.push.manifest.tags-told-more',
    'OCI-Tag tells a tag that was not created',
    [...told, ...effective],
    telling((asked) => [...asked, 'latest']),
  ),
  corruption(
    'oci.push.manifest.tags-latest-too',
    'a push with tags creates the tag latest as well, and does not tell',
    effective,
    making((asked) => [...asked, 'latest']),
  ),
  interoperability(
    'oci.push.manifest.tags-nine',
    'more than nine tags are refused with 414',
    ten,
    { registry: beyond(9, () => errorAnswer(414, 'TAG_INVALID')) },
    'pushes each tag by itself',
  ),
  corruption(
    'oci.push.manifest.tags-nine-made',
    'of more than nine tags nine are created, and OCI-Tag tells all',
    ten,
    making((asked) => asked.slice(0, 9)),
  ),
  interoperability('oci.push.manifest.tags-many-500', 'too many tags answer 500', many, {
    registry: beyond(100, () => errorAnswer(500, 'UNKNOWN')),
  }),
  corruption(
    'oci.push.manifest.tags-many-in-part',
    'too many tags are refused, and the first hundred created',
    many,
    taking(100, () => errorAnswer(414, 'TAG_INVALID')),
  ),
  interoperability('oci.push.manifest.tags-bad-500', 'a tag parameter that is no tag answers 500', bad, {
    registry: rewriting(
      tagged,
      having(400, (response) => withStatus(response, 500)),
    ),
  }),
  security('oci.push.manifest.tags-bad-told', 'OCI-Tag repeats whatever was asked for', bad, {
    registry: (next) =>
      rewriting(tagged, (response, request) =>
        withHeaders(response, { 'oci-tag': tagsOf(request).join(', ') }),
      )(
        misread(tagged, ({ url }) => {
          url.search = url.searchParams
            .getAll('tag')
            .filter((tag) => /^\w/.test(tag))
            .map((tag) => `tag=${tag}`)
            .join('&')
          return { url }
        })(next),
      ),
  }),
  interoperability(
    'oci.push.manifest.tags-claimed',
    'OCI-Tag is sent, and no tag is created',
    ['oci.push.manifest.tag-param.unsupported-silent'],
    storing('manifests', (manifests) => ({
      put: (name, manifest, tags) =>
        manifests.put(
          name,
          manifest,
          tags.filter((tag) => tag !== 'by-parameter'),
        ),
    })),
    'reads back the tag',
  ),
]
