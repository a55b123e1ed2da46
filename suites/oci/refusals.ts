import { literal, typed } from '../../fixtures/content.ts'
import type { Answer } from '../../harness/answer.ts'
import type { Capabilities } from '../../harness/capability.ts'
import { PrerequisiteFailure, TargetFailure } from '../../harness/errors.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import { closeUpload, putManifest, sendChunk, startUpload } from '../push.ts'
import type { Registry } from '../registry.ts'
import { scopesFor } from './base/pushing-under.ts'
import { askFor } from './existing.ts'
import { blobPath, type ExistingManifest } from './named-content.ts'

/** Where refusals are provoked: beside a manifest that is there. */
export interface Provocation {
  readonly client: RegistryClient
  readonly registry: Registry
  readonly manifest: ExistingManifest
  readonly capabilities: Capabilities
}

const zeros = '0'.repeat(64)
/** What passes for a token without being one, and would be recognised where it is repeated. */
export const madeUpToken = 'assay-made-up-token-4c1f'

/** The refusals (4xx) among the answers to what a registry refuses: what is not there, not well-formed, not allowed. */
export async function provokeRefusals(provocation: Provocation): Promise<readonly Answer[]> {
  const { push, reader } = provocation.capabilities
  const asked = [
    ...reading(provocation),
    ...(push?.offered ? writing(provocation) : []),
    ...(push?.offered && reader?.offered ? [denied(provocation)] : []),
  ]
  const answers = await Promise.all(asked.map((answer) => answer.catch(leaveOut)))
  return answers.flatMap((answer) => (answer && answer.status >= 400 && answer.status < 500 ? [answer] : []))
}

/** An answer that broke off is no refusal with a body; what it breaks is judged where that is asked. */
function leaveOut(error: unknown): undefined {
  if (!(error instanceof TargetFailure || error instanceof PrerequisiteFailure)) throw error
}

function reading({ client, registry, manifest }: Provocation): readonly Promise<Answer>[] {
  const { repository, blob } = manifest
  const nowhere = registry.repository('never-used')
  const anonymous = registry.as('anonymous')
  const headers = { authorization: `Bearer ${madeUpToken}` }
  return [
    client.get(blobPath({ repository, digest: `sha256:${zeros}` })),
    client.get(blobPath({ repository, digest: 'sha256:zz' })),
    client.get(blobPath(blob), { headers: { range: `bytes=${blob.bytes.length}-` } }),
    askFor(client, manifest, 'no-such-tag'),
    askFor(client, manifest, `sha256:${zeros}`),
    askFor(client, manifest, 'sha256:zz'),
    askFor(client, { ...manifest, repository: nowhere }, 'latest'),
    client.get(`/v2/${nowhere}/tags/list`),
    client.get(`/v2/${repository}/no-such-endpoint`),
    anonymous.get('/v2/'),
    anonymous.get(blobPath(blob), { headers }),
  ]
}

function writing({ client, registry, manifest }: Provocation): readonly Promise<Answer>[] {
  const { repository, mediaType } = manifest
  const broken = typed(literal('{'), mediaType)
  const bytes = literal('ab')
  return [
    startUpload(client, repository).then((location) =>
      closeUpload(client, location, `sha256:${zeros}`, bytes),
    ),
    startUpload(client, repository).then((location) => closeUpload(client, location, 'sha256:zz', bytes)),
    startUpload(client, repository).then((location) => sendChunk(client, location, bytes, 100)),
    client.patch(`/v2/${repository}/blobs/uploads/no-such-upload`, { body: 'ab' }),
    putManifest(client, repository, broken, 'broken'),
    client.post(`/v2/${repository}/manifests/broken`),
    client.delete(`/v2/${repository}/manifests/no-such-tag`),
    client.delete(blobPath({ repository, digest: `sha256:${zeros}` })),
    scopesFor(client, `${repository}/UPPER`, repository).then((scopes) =>
      client.post(`/v2/${repository}/UPPER/blobs/uploads/`, { scopes }),
    ),
    registry
      .as('anonymous')
      .post(`/v2/${repository}/blobs/uploads/`, { headers: { authorization: `Bearer ${madeUpToken}` } }),
  ]
}

/** A push by an account that may only pull, with the token that it gets. */
const denied = ({ registry, manifest }: Provocation): Promise<Answer> =>
  registry.as('reader').post(`/v2/${manifest.repository}/blobs/uploads/`)
