import type { TypedContent } from '../../../fixtures/content.ts'
import type { Descriptor } from '../../../fixtures/descriptor.ts'
import { artifactManifest } from '../../../fixtures/manifest.ts'
import { vendorTypes } from '../../../fixtures/media-types.ts'
import type { Source } from '../../../fixtures/seed.ts'
import type { Answer } from '../../../harness/answer.ts'
import { expectStatus, expectThat } from '../../../harness/finding.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { memberOf } from '../../json-member.ts'
import { walkPages } from '../../link-header.ts'
import { artifact, pushArtifact, pushManifest } from '../../push.ts'
import type { Registry } from '../../registry.ts'
import { step } from '../../step.ts'

/** An entry of a list of referrers, as far as it is well-formed. */
export type Referrer = Partial<Descriptor>

/** The header in which a registry tells what it filtered by. */
export const filtersApplied = 'oci-filters-applied'

/** Pushes a manifest to refer to, into a repository that has the blob of an artifact, which every referrer made here has too. */
export const pushSubject = (
  client: RegistryClient,
  repository: string,
  source: Source,
): Promise<TypedContent> => pushManifest(client, repository, artifact(source))

/** An artifact that refers to the subject, unlike any other. */
export const referrerTo = (
  subject: TypedContent,
  source: Source,
  artifactType: string = vendorTypes.artifact,
): TypedContent =>
  artifactManifest({ artifactType, subject, annotations: { 'org.example.name': source.name('referrer') } })

/** Pushes a subject with its blob, and one referrer to it, by digest. */
export async function pushReferrer(
  client: RegistryClient,
  repository: string,
  source: Source,
): Promise<{ readonly subject: TypedContent; readonly referrer: TypedContent }> {
  const subject = await pushArtifact(client, repository, source)
  const referrer = await pushManifest(client, repository, referrerTo(subject, source))
  return { subject, referrer }
}

/** A subject and its only referrer, for all requirements that only list them. */
export const referred = (registry: Registry) =>
  registry.once('subject-and-referrer', async ({ client, repository, content }) => ({
    repository,
    ...(await pushReferrer(client, repository, content)),
  }))

/** Asks for the referrers of a digest as another client would, and for one type alone where it is given. */
export function listReferrers(
  client: RegistryClient,
  repository: string,
  digest: string,
  artifactType?: string,
): Promise<Answer> {
  const query = artifactType === undefined ? '' : `?artifactType=${encodeURIComponent(artifactType)}`
  return client.get(`/v2/${repository}/referrers/${digest}${query}`, { fresh: true })
}

/** The entries of one page. `null` stands for none, as some registries write it. */
export function referrersOf(page: Answer): readonly Referrer[] {
  expectStatus(page, 200)
  const told = memberOf(page, 'manifests')
  const entries = told === null ? [] : told
  expectThat(
    Array.isArray(entries) && entries.every((entry) => typeof entry === 'object' && entry !== null),
    'an index with manifests, an array of descriptors',
    () => page.text().slice(0, 200),
  )
  return entries
}

const mostPages = 20

/** The entries of a list and of all pages behind it. */
export async function allReferrers(client: RegistryClient, first: Answer): Promise<readonly Referrer[]> {
  return (await walkPages(client, first, mostPages)).flatMap(referrersOf)
}

/** Every referrer of a digest, for what builds on the list. */
export async function listedReferrers(
  client: RegistryClient,
  repository: string,
  digest: string,
): Promise<readonly Referrer[]> {
  const pages = await walkPages(client, await listReferrers(client, repository, digest), mostPages)
  return step('listing referrers', () => pages.flatMap(referrersOf))
}

/** Exactly these manifests are listed, each once. */
export function expectReferrers(entries: readonly Referrer[], expected: readonly TypedContent[]): void {
  const wanted = digestsOf(expected)
  expectThat(digestsOf(entries) === wanted, `the referrers ${wanted}`, digestsOf(entries))
}

const digestsOf = (entries: readonly Referrer[]): string =>
  entries
    .map(({ digest = 'without a digest' }) => digest)
    .sort()
    .join(', ') || 'none'
