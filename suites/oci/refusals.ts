import { literal } from '../../fixtures/content.ts'
import { notManifests } from '../../fixtures/invalid-manifests.ts'
import type { Answer } from '../../harness/answer.ts'
import type { Capabilities } from '../../harness/capability.ts'
import { PrerequisiteFailure, TargetFailure } from '../../harness/errors.ts'
import { closeUpload, putManifest, sendChunk, startUpload } from '../push.ts'
import type { Registry, Workshop } from '../registry.ts'
import { scopesFor } from './base/pushing-under.ts'
import { askFor } from './existing.ts'
import { blobPath, type ExistingBlob, type ExistingManifest } from './named-content.ts'
import { triedUploads } from './push/tried-upload.ts'

/** Where refusals are provoked: beside what is there. */
export interface Provocation {
  readonly registry: Registry
  readonly manifest: ExistingManifest
  readonly blob: ExistingBlob
  readonly capabilities: Capabilities
}

type Refused = Promise<readonly Answer[]>

const zeros = '0'.repeat(64)
/** What passes for a token without being one, and would be recognised where it is repeated. */
export const madeUpToken = 'assay-made-up-token-4c1f'

/** The refusals (4xx) among the answers to what a registry refuses: what is not there, not well-formed, not allowed. */
export async function provokeRefusals(provocation: Provocation): Promise<readonly Answer[]> {
  const { registry, manifest, blob, capabilities } = provocation
  const { push, reader } = capabilities
  const reading = [
    unknownBlob(registry, blob),
    unknownManifests(registry, manifest),
    unknownRepository(registry, manifest),
    otherReads(provocation),
  ]
  const writing = [
    unknownBlobDeleted(registry, blob),
    misplacedChunk(registry),
    wrongDigests(registry),
    brokenManifests(registry),
    badNames(registry),
    otherWrites(registry),
  ]
  const denied = push?.offered && reader?.offered ? [deniedPush(registry)] : []
  const asked = [...reading, ...(push?.offered ? writing : []), ...denied]
  const answers = await Promise.all(asked.map((some) => some.catch(leaveOut)))
  return answers.flat().filter(({ status }) => status >= 400 && status < 500)
}

/** An answer that broke off is no refusal with a body; what it breaks is judged where that is asked. */
function leaveOut(error: unknown): readonly Answer[] {
  if (error instanceof TargetFailure || error instanceof PrerequisiteFailure) return []
  throw error
}

const refused = (registry: Registry, what: string, ask: (workshop: Workshop) => Refused): Refused =>
  registry.once(`refused-${what}`, ask)

const unknownPath = ({ repository }: ExistingBlob) => blobPath({ repository, digest: `sha256:${zeros}` })

/** GET of a blob that is not there. */
export const unknownBlob = (registry: Registry, blob: ExistingBlob): Refused =>
  refused(registry, 'blob', async ({ client }) => [await client.get(unknownPath(blob))])

/** DELETE of a blob that is not there. */
export const unknownBlobDeleted = (registry: Registry, blob: ExistingBlob): Refused =>
  refused(registry, 'blob-deletion', async ({ client }) => [await client.delete(unknownPath(blob))])

/** GET of a tag and of a digest that a known repository does not have. */
export const unknownManifests = (registry: Registry, manifest: ExistingManifest): Refused =>
  refused(registry, 'manifests', async ({ client }) => [
    await askFor(client, manifest, 'no-such-tag'),
    await askFor(client, manifest, `sha256:${zeros}`),
  ])

/** The tags, and a manifest, of a repository that nobody pushed to. */
export const unknownRepository = (
  registry: Registry,
  { mediaType }: Pick<ExistingManifest, 'mediaType'>,
): Refused =>
  refused(registry, 'repository', async ({ client, repository }) => [
    await client.get(`/v2/${repository}/tags/list`),
    await askFor(client, { mediaType, repository }, 'latest'),
  ])

/** A first chunk that does not begin at 0. */
export const misplacedChunk = (registry: Registry): Refused =>
  refused(registry, 'chunk', async ({ client, repository, content }) => [
    await sendChunk(client, await startUpload(client, repository), content.bytes(100), 100),
  ])

/** Uploads closed with the digest of other content, and with one that is malformed. */
export const wrongDigests = (registry: Registry): Refused =>
  refused(registry, 'digests', async ({ client, repository, content }) => {
    const [pushed, other] = [content.bytes(100), content.bytes(100)]
    const attempt = triedUploads(client, repository)
    return [
      await attempt((location) => closeUpload(client, location, 'sha256:zz', pushed)),
      await attempt((location) => closeUpload(client, location, other.digest, pushed)),
    ]
  })

/** Manifests that are no JSON, and no object. */
export const brokenManifests = (registry: Registry): Refused =>
  refused(registry, 'broken-manifests', async ({ client, repository }) => {
    const bodies = notManifests()
    const answers = []
    for (const what of ['empty', 'an open brace', 'null'] as const) {
      const body = bodies[what]
      if (body) answers.push(await putManifest(client, repository, body, 'broken'))
    }
    return answers
  })

/** Uploads under names outside the grammar. */
export const badNames = (registry: Registry): Refused =>
  refused(registry, 'names', async ({ client, repository }) => {
    const answers = []
    for (const name of [`${repository}/UPPER`, `${repository}/a..b`, `${repository}/-a`]) {
      const scopes = await scopesFor(client, name, repository)
      answers.push(await client.post(`/v2/${name}/blobs/uploads/`, { scopes }))
    }
    return answers
  })

const otherReads = ({ registry, manifest, blob }: Provocation): Refused =>
  refused(registry, 'reads', async ({ client, registry: own }) => {
    const anonymous = own.as('anonymous')
    const headers = { authorization: `Bearer ${madeUpToken}` }
    return [
      await client.get(blobPath({ ...blob, digest: 'sha256:zz' })),
      await client.get(blobPath(blob), { headers: { range: `bytes=${blob.bytes.length}-` } }),
      await askFor(client, manifest, 'sha256:zz'),
      await client.get(`/v2/${manifest.repository}/no-such-endpoint`),
      await anonymous.get('/v2/'),
      await anonymous.get(blobPath(blob), { headers }),
    ]
  })

const otherWrites = (registry: Registry): Refused =>
  refused(registry, 'writes', async ({ client, registry: own, repository }) => [
    await client.patch(`/v2/${repository}/blobs/uploads/no-such-upload`, { body: literal('ab') }),
    await client.post(`/v2/${repository}/manifests/broken`),
    await client.delete(`/v2/${repository}/manifests/no-such-tag`),
    await own
      .as('anonymous')
      .post(`/v2/${repository}/blobs/uploads/`, { headers: { authorization: `Bearer ${madeUpToken}` } }),
  ])

/** A push by an account that may only pull, with the token that it gets. */
const deniedPush = (registry: Registry): Refused =>
  refused(registry, 'push', async ({ registry: own, repository }) => [
    await own.as('reader').post(`/v2/${repository}/blobs/uploads/`),
  ])
