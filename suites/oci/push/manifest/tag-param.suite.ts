import { describe } from 'vitest'
import type { TypedContent } from '../../../../fixtures/content.ts'
import type { Answer } from '../../../../harness/answer.ts'
import { expectStatus, expectThat } from '../../../../harness/finding.ts'
import type { RegistryClient } from '../../../../harness/registry-client.ts'
import { may, must, should } from '../../../../harness/requirement.ts'
import { need, prepareImage } from '../../../push.ts'
import { expectManifest, listedTags, readManifest } from '../../../readback.ts'
import { test } from '../../../registry.ts'
import { ociDistributionMain } from '../../../specifications.ts'

const tagging = ociDistributionMain('Pushing Manifests', '#pushing-manifests')
const options = { needs: ['push', 'tag-param'], since: 'dev' } as const

/** Pushes a manifest by digest and asks for tags. */
function putWithTags(
  client: RegistryClient,
  repository: string,
  manifest: TypedContent,
  tags: readonly string[],
): Promise<Answer> {
  const query = tags.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&')
  const headers = { 'content-type': manifest.mediaType }
  return client.put(`/v2/${repository}/manifests/${manifest.digest}?${query}`, { headers, body: manifest })
}

/** The tags that the answer says it created. */
const created = (answer: Answer): readonly string[] =>
  answer.headerValues('oci-tag').flatMap((value) => value.split(',').map((tag) => tag.trim()))

const sorted = (tags: Iterable<string>) => [...tags].sort().join(', ')

describe('Tags as parameters of a push by digest', () => {
  test(
    'oci.push.manifest.tag-param.supported',
    may('A push by digest with tag= creates the tags', tagging, options),
    async ({ client, repository, content }) => {
      const { manifest } = await prepareImage(client, repository, content)
      const answer = await putWithTags(client, repository, manifest, ['one', 'two'])
      expectStatus(answer, 201)
      for (const tag of ['one', 'two']) await expectManifest(client, repository, manifest, tag)
    },
  )

  test(
    'oci.push.manifest.tag-param.oci-tag',
    must('OCI-Tag lists exactly the tags that were accepted', tagging, options),
    async ({ client, repository, content }) => {
      const { manifest } = await prepareImage(client, repository, content)
      const asked = ['one', 'two', 'three']
      const answer = need('the push', await putWithTags(client, repository, manifest, asked), 201)
      const accepted: string[] = []
      for (const tag of asked) {
        const { status } = await readManifest(client, repository, tag, manifest.mediaType)
        if (status === 200) accepted.push(tag)
      }
      const listed = sorted(new Set(created(answer)))
      expectThat(listed === sorted(accepted), `OCI-Tag: ${sorted(accepted)}`, `OCI-Tag: ${listed}`)
    },
  )

  test(
    'oci.push.manifest.tag-param.effective',
    must('Each tag in OCI-Tag leads to the manifest, and no other tag was created', tagging, options),
    async ({ client, repository, content }) => {
      const { manifest } = await prepareImage(client, repository, content)
      const asked = ['one', 'two', 'three']
      const answer = need('the push', await putWithTags(client, repository, manifest, asked), 201)
      for (const tag of created(answer)) await expectManifest(client, repository, manifest, tag)
      const others = (await listedTags(client, repository)).filter((tag) => !created(answer).includes(tag))
      expectThat(others.length === 0, 'no tag but those of OCI-Tag', `also ${sorted(others)}`)
    },
  )

  test(
    'oci.push.manifest.tag-param.ten',
    should('At least 10 tags can be given in one request', tagging, options),
    async ({ client, repository, content }) => {
      const { manifest } = await prepareImage(client, repository, content)
      const tags = Array.from({ length: 10 }, (_, index) => `v1.${index}`)
      const answer = await putWithTags(client, repository, manifest, tags)
      expectStatus(answer, 201)
      const listed = sorted(new Set(created(answer)))
      expectThat(listed === sorted(tags), `OCI-Tag: ${sorted(tags)}`, `OCI-Tag: ${listed}`)
      for (const tag of tags) await expectManifest(client, repository, manifest, tag)
    },
  )

  test(
    'oci.push.manifest.tag-param.too-many',
    may('Too many tags are refused with a 4xx, or OCI-Tag tells which were created', tagging, options),
    async ({ client, repository, content }) => {
      const { manifest } = await prepareImage(client, repository, content)
      need('one tag', await putWithTags(client, repository, manifest, ['before']), 201)
      const tags = Array.from({ length: 500 }, (_, index) => `t${index}`)
      const answer = await putWithTags(client, repository, manifest, tags)
      const right = answer.status === 201 || (answer.status >= 400 && answer.status < 500)
      expectThat(right, '414, another 4xx, or 201', String(answer.status))
      const told = ['before', ...created(answer)]
      const silent = (await listedTags(client, repository)).filter((tag) => !told.includes(tag))
      expectThat(silent.length === 0, 'no tag but those of OCI-Tag', `also ${silent.slice(0, 5).join(', ')}`)
    },
  )

  test(
    'oci.push.manifest.tag-param.invalid-tag',
    should('A tag that breaks the grammar is refused, or is not in OCI-Tag', tagging, options),
    async ({ client, repository, content }) => {
      const { manifest } = await prepareImage(client, repository, content)
      const answer = await putWithTags(client, repository, manifest, ['good', '.bad'])
      const refused = answer.status >= 400 && answer.status < 500
      const left = answer.status === 201 && !created(answer).includes('.bad')
      const seen = `${answer.status} with OCI-Tag: ${created(answer).join(', ')}`
      expectThat(refused || left, 'a refusal (4xx), or 201 without .bad in OCI-Tag', seen)
    },
  )

  test(
    'oci.push.manifest.tag-param.unsupported-silent',
    must('A registry that creates no tag from tag= does not send OCI-Tag', tagging, {
      needs: ['push'],
      since: 'dev',
    }),
    async ({ client, repository, content }) => {
      const { manifest } = await prepareImage(client, repository, content)
      const answer = await putWithTags(client, repository, manifest, ['by-parameter'])
      const { status } = await readManifest(client, repository, 'by-parameter', manifest.mediaType)
      const tags = answer.header('oci-tag')
      const seen = `OCI-Tag: ${tags}, and the tag answers ${status}`
      expectThat(tags === undefined || status === 200, 'OCI-Tag only with the tag', seen)
    },
  )
})
