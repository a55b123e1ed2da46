import { faultKinds } from '../../../harness/fault-kinds.ts'
import { answering, rewriting, to, withHeaders, withStatus } from '../../../harness/rewrite.ts'
import type { Seams } from '../../../mocks/control/fault.ts'
import { heading, misread, restatus, withQuery } from '../seams.faults.ts'
import { errorAnswer, having, type Wire } from '../wire.ts'
import { session, uploads } from './upload-wire.ts'

const { corruption, interoperability } = faultKinds<Seams>()

/** Grants no single POST and no mount; answers the closing of an upload whose POST asked for something in its own way. */
const fallingBack = (close: (next: Wire) => Wire): Seams => ({
  registry: (next) => {
    const opened = new Set<string>()
    const closing = close(next)
    const opening = misread(to('POST', uploads), ({ url }) => {
      for (const name of ['digest', 'mount']) url.searchParams.delete(name)
      return { url }
    })(next)
    return async (request, context) => {
      const { pathname, search } = new URL(request.url)
      if (opened.has(pathname)) return closing(request, context)
      if (!to('POST', uploads)(request) || search === '') return next(request, context)
      const answer = await opening(request, context)
      opened.add(answer.headers.get('location') ?? '')
      return answer
    }
  },
})

/** What a POST created is at first served where it was stored, and not yet where it belongs. */
const staged: Seams = {
  registry: (next) => {
    const created = new Set<string>()
    const creating = rewriting(
      to('POST', uploads),
      having(201, (response) => {
        const location = response.headers.get('location') ?? ''
        created.add(location)
        return withHeaders(response, { location: `${location}?staged=1` })
      }),
    )(next)
    return async (request, context) => {
      const { pathname, search } = new URL(request.url)
      return created.has(pathname) && search === ''
        ? errorAnswer(404, 'BLOB_UNKNOWN')
        : creating(request, context)
    }
  },
}

export const faults = [
  interoperability(
    'oci.push.blob.single-post-200',
    'a single POST answers 200',
    ['oci.push.blob.post-single.201-or-202'],
    restatus('POST', uploads, 201, 200),
  ),
  interoperability(
    'oci.push.blob.single-post-no-location',
    'the 201 to a single POST has no Location',
    ['oci.push.blob.post-single.201-or-202', 'oci.push.blob.post-single.location'],
    heading('POST', uploads, 201, () => ({ location: null })),
  ),
  interoperability(
    'oci.push.blob.single-post-location-other',
    'the Location of the 201 to a single POST leads to the list of uploads',
    ['oci.push.blob.post-single.location'],
    heading('POST', uploads, 201, (_, { url }) => ({ location: new URL(url).pathname })),
  ),
  corruption(
    'oci.push.blob.single-post-202-nowhere',
    'a single POST answers 202 with a session that is not there',
    ['oci.push.blob.post-single.202-usable'],
    {
      registry: answering(
        withQuery('POST', uploads, 'digest'),
        ({ url }) =>
          new Response(null, { status: 202, headers: { location: `${new URL(url).pathname}none` } }),
      ),
    },
    'starts again with a POST of its own',
  ),
  interoperability(
    'oci.push.blob.single-post-202-no-location',
    'a single POST answers 202 without a Location',
    ['oci.push.blob.post-single.201-or-202'],
    { registry: answering(withQuery('POST', uploads, 'digest'), () => new Response(null, { status: 202 })) },
  ),
  interoperability(
    'oci.push.blob.post-staged',
    'a blob that a POST created or mounted is served at the Location of the 201 alone',
    ['oci.push.blob.post-single.location', 'oci.push.mount.201.location'],
    staged,
    'asks with HEAD for the blob until it is there',
  ),
  interoperability(
    'oci.push.blob.post-asking-closed-200',
    'an upload whose POST had parameters is completed with 200',
    [
      'oci.push.blob.post-single.202-usable',
      'oci.push.mount.202.session-usable',
      'oci.push.blob.sha512',
      'oci.push.chunked.digest-algorithm',
    ],
    fallingBack(
      rewriting(
        to('PUT', session),
        having(201, (response) => withStatus(response, 200)),
      ),
    ),
  ),
  corruption(
    'oci.push.blob.post-asking-forgotten',
    'an upload that took the place of a single POST or a mount is acknowledged, and not recorded',
    ['oci.push.blob.post-single.202-usable', 'oci.push.mount.202.session-usable', 'oci.push.mount.anonymous'],
    fallingBack(
      answering(to('PUT', session), () => new Response(null, { status: 201, headers: { location: '/v2/' } })),
    ),
    'looks with HEAD for what it pushed',
  ),
]
