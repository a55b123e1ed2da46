import type { Call, Route } from './call.ts'
import { digestInvalid, Refusal } from './errors.ts'
import { isDigest } from './names.ts'
import { cut, nextLink, pageOf } from './pagination.ts'
import type { ManifestStore, Referrer } from './stores.ts'

const mediaType = 'application/vnd.oci.image.index.v1+json'
const mostEntries = 1000
/** Characters of annotations on a page: an index is read by clients that take no more than 4 MiB. */
const mostText = 2 * 1024 * 1024

/**
 * https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#listing-referrers. Every manifest with a
 * subject is indexed when it is pushed, so those that a client lists under a referrers tag are here as well.
 */
export function referrerRoutes({ manifests }: { manifests: ManifestStore }): Route[] {
  const path = /^\/v2\/(?<name>.+)\/referrers\/(?<reference>[^/]+)$/
  return [{ path, methods: { GET: { access: 'pull', handle: (call) => listReferrers(call, manifests) } } }]
}

async function listReferrers(
  { repository, reference: subject, target }: Call,
  manifests: ManifestStore,
): Promise<Response | Refusal> {
  if (!isDigest(subject)) return digestInvalid('the digest is malformed', { digest: subject })
  const asked = pageOf(target, mostEntries)
  if (asked instanceof Refusal) return asked
  const [artifactType] = target.query.get('artifactType') ?? []
  const filter = artifactType ? { artifactType } : {}
  const found =
    asked.limit === 0
      ? []
      : await manifests.referrers(repository, subject, { ...asked, limit: asked.limit + 1, ...filter })
  const { page, last } = cut(found, Math.min(asked.limit, fitting(found)))
  return Response.json(
    { schemaVersion: 2, mediaType, manifests: page.map(descriptor) },
    {
      headers: {
        'Content-Type': mediaType,
        ...(artifactType && { 'OCI-Filters-Applied': 'artifactType' }),
        ...(last &&
          nextLink(`/v2/${repository}/referrers/${subject}`, {
            n: asked.limit,
            last: last.digest,
            ...filter,
          })),
      },
    },
  )
}

/** How many of the entries go on one page; at least one. */
function fitting(entries: readonly Referrer[]): number {
  let text = 0
  const over = entries.findIndex(({ annotations }, index) => {
    text += annotations?.length ?? 0
    return index > 0 && text > mostText
  })
  return over < 0 ? entries.length : over
}

const descriptor = ({ digest, contentType, size, artifactType, annotations }: Referrer) => ({
  mediaType: contentType,
  digest,
  size,
  ...(artifactType !== undefined && { artifactType }),
  ...(annotations !== undefined && { annotations: JSON.parse(annotations) as unknown }),
})
