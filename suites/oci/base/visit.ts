import type { Content, TypedContent } from '../../../fixtures/content.ts'
import { image } from '../../../fixtures/image.ts'
import { layer } from '../../../fixtures/layer.ts'
import { oneFile } from '../../../fixtures/layer-entries.ts'
import type { Source } from '../../../fixtures/seed.ts'
import type { Answer } from '../../../harness/answer.ts'
import { PrerequisiteFailure, Stopped, TargetFailure } from '../../../harness/errors.ts'
import { Finding } from '../../../harness/finding.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { closeUpload, locationOf, putManifest, sendChunk, startUpload } from '../../push.ts'
import { listedTags, readBlob, readManifest } from '../../readback.ts'

/** What came of one step: its name, and the outcome in words that are the same for any repository. */
export type Step = readonly [name: string, outcome: string]

/**
 * What a client does with a repository in its life: pushes in one piece and in chunks, reads back on fresh
 * connections, asks for what is not there, sends what is wrong. Nothing is judged here.
 */
export async function visit(
  client: RegistryClient,
  anonymous: RegistryClient,
  repository: string,
  source: Source,
): Promise<readonly Step[]> {
  const [unknown, wrong] = [source.bytes(100), source.bytes(2000)]
  const packed = await layer(oneFile(source))
  const { config, manifest } = await image(source, { layers: [packed] })
  const step = async (name: string, outcome: () => Promise<string>): Promise<Step> => [
    name,
    await outcome().catch(failure),
  ]
  return [
    await step('pushing a config', () => push(client, repository, config)),
    await step('pushing a layer in chunks', () => pushInChunks(client, repository, packed)),
    await step('pushing under a wrong digest', () => push(client, repository, wrong, unknown.digest)),
    await step('pushing a manifest', async () =>
      status(await putManifest(client, repository, manifest, 'v1')),
    ),
    await step('reading a layer', async () => got(await readBlob(client, repository, packed.digest), packed)),
    ...(await readings(client, anonymous, repository, manifest, step)),
  ]
}

async function readings(
  client: RegistryClient,
  anonymous: RegistryClient,
  repository: string,
  manifest: TypedContent,
  step: (name: string, outcome: () => Promise<string>) => Promise<Step>,
): Promise<readonly Step[]> {
  const read = (who: RegistryClient, reference: string) => () =>
    readManifest(who, repository, reference, manifest.mediaType).then((answer) => got(answer, manifest))
  return [
    await step('reading a manifest by tag', read(client, 'v1')),
    await step('reading a manifest by digest', read(client, manifest.digest)),
    await step('asking for an unknown tag', read(client, 'never-pushed')),
    await step('reading a manifest without credentials', read(anonymous, 'v1')),
    await step('listing tags', async () => (await listedTags(client, repository)).join(', ') || 'none'),
  ]
}

async function push(
  client: RegistryClient,
  repository: string,
  content: Content,
  digest = content.digest,
): Promise<string> {
  return status(await closeUpload(client, await startUpload(client, repository), digest, content))
}

async function pushInChunks(client: RegistryClient, repository: string, content: Content): Promise<string> {
  const sent = await sendChunk(client, await startUpload(client, repository), content, 0)
  const closed = await closeUpload(client, locationOf(sent), content.digest)
  return `${status(sent)}, ${status(closed)}`
}

const status = (answer: Answer) => String(answer.status)

const got = ({ status: code, body }: Answer, { bytes }: Content) =>
  code === 200
    ? `200 with ${Buffer.compare(body, bytes) === 0 ? 'what was pushed' : 'something else'}`
    : String(code)

function failure(error: unknown): string {
  const aboutTheTarget =
    error instanceof TargetFailure || error instanceof PrerequisiteFailure || error instanceof Finding
  if (!aboutTheTarget || error instanceof Stopped) throw error
  return withoutNames(error.message)
}

/** Failures name URLs and digests, which are not the same in two repositories. */
const withoutNames = (message: string) => message.replace(/(?:https?:\/|\/v2)\/\S+/g, '…')
