import { faultKinds } from '../../harness/fault-kinds.ts'
import { answering, rewriting, to, withStatus } from '../../harness/rewrite.ts'
import type { Seams } from '../../mocks/control/fault.ts'
import { session, uploads } from './push/upload-wire.ts'
import { after, withQuery } from './seams.faults.ts'
import { errorAnswer, having, path, type Wire } from './wire.ts'

const { corruption, interoperability } = faultKinds<Seams>()

/** What one request does to the rest of its repository, beside what it was for. */
type Happened = (request: Request, response: Response) => boolean
type Broken = (next: Wire) => Wire

const answered =
  (when: (request: Request) => boolean, least: number, most = least): Happened =>
  (request, { status }) =>
    when(request) && status >= least && status <= most

const closeRefused = answered(to('PUT', session), 400, 499)
const manifestRefused = answered(to('PUT', path.manifest), 400, 499)
const tagDeleted = answered(to('DELETE', path.tag), 202)
const manifestDeleted = answered(to('DELETE', path.manifestDigest), 202)
const blobDeleted = answered(to('DELETE', path.blob), 202)
const postRefused = answered(withQuery('POST', uploads, 'digest'), 400, 499)
const blobClosed = answered(to('PUT', session), 201)
const manifestPushed = answered(to('PUT', path.manifest), 201)

const noBlob: Broken = answering(to('GET', path.blob), () => errorAnswer(404, 'BLOB_UNKNOWN'))
const noManifest: Broken = answering(to('GET', path.manifest), () => errorAnswer(404, 'MANIFEST_UNKNOWN'))
const closeAs = (status: number): Broken =>
  rewriting(
    to('PUT', session),
    having(201, (response) => withStatus(response, status)),
  )
const putAs = (status: number): Broken =>
  rewriting(
    to('PUT', path.manifest),
    having(201, (response) => withStatus(response, status)),
  )

const leaving = (happened: Happened, broken: Broken): Seams => ({ registry: after(happened, broken) })

const lost = (id: string, event: string, breaks: readonly string[], happened: Happened) =>
  corruption(
    `oci.aftermath.${id}`,
    `${event} loses the blobs of its repository`,
    breaks,
    leaving(happened, noBlob),
  )
const untagged = (id: string, event: string, breaks: readonly string[], happened: Happened) =>
  corruption(
    `oci.aftermath.${id}`,
    `${event} loses the manifests of its repository`,
    breaks,
    leaving(happened, noManifest),
  )

export const faults = [
  lost(
    'close-refused-blobs',
    'an upload that is refused',
    [
      'oci.push.session.repo-bound',
      'oci.push.blob.digest-mismatch.rejected',
      'oci.push.blob.digest-invalid.400',
    ],
    closeRefused,
  ),
  lost(
    'manifest-deleted-blobs',
    'deleting a manifest',
    ['oci.mgmt.manifest.delete.shared-blobs'],
    manifestDeleted,
  ),
  lost('blob-deleted-blobs', 'deleting a blob', ['oci.mgmt.blob.delete.gone'], blobDeleted),
  lost(
    'post-refused-blobs',
    'a single POST that is refused',
    ['oci.push.blob.post-single.mismatch'],
    postRefused,
  ),
  untagged(
    'manifest-refused-manifests',
    'a manifest that is refused',
    ['oci.push.manifest.put.digest-mismatch.400', 'oci.push.manifest.rejected-not-stored'],
    manifestRefused,
  ),
  untagged(
    'manifest-deleted-manifests',
    'deleting a manifest',
    ['oci.mgmt.manifest.delete.shared-blobs', 'oci.mgmt.manifest.delete.gone'],
    manifestDeleted,
  ),
  untagged(
    'manifest-pushed-manifests',
    'pushing a manifest',
    ['oci.push.manifest.put.retag-idempotent'],
    manifestPushed,
  ),
  interoperability(
    'oci.aftermath.deleted-closed-200',
    'after a deletion, an upload is completed with 200',
    ['oci.mgmt.blob.delete.repush'],
    leaving(
      (request, response) => blobDeleted(request, response) || manifestDeleted(request, response),
      closeAs(200),
    ),
  ),
  interoperability(
    'oci.aftermath.deleted-pushed-200',
    'after a deletion, a manifest is answered with 200',
    ['oci.mgmt.manifest.delete.repush'],
    leaving(
      (request, response) => tagDeleted(request, response) || manifestDeleted(request, response),
      putAs(200),
    ),
  ),
  interoperability(
    'oci.aftermath.closed-closed-200',
    'the second upload of a repository is completed with 200',
    ['oci.push.session.location.unique'],
    leaving(blobClosed, closeAs(200)),
  ),
  interoperability(
    'oci.aftermath.pushed-pushed-200',
    'the second manifest of a repository is answered with 200',
    ['oci.push.manifest.put.retag-idempotent', 'oci.push.manifest.index-nested'],
    leaving(manifestPushed, putAs(200)),
  ),
]
