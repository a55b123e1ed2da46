import { describe } from 'vitest'
import { expectContent, expectRefusal, expectStatus, expectThat } from '../../../harness/finding.ts'
import type { RegistryClient } from '../../../harness/registry-client.ts'
import { must, should } from '../../../harness/requirement.ts'
import { need } from '../../push.ts'
import { test as base } from '../../registry.ts'
import { ociDistribution, rfc } from '../../specifications.ts'
import { askFor } from '../existing.ts'
import { type SmallManifests, scopesFor, smallManifests } from './pushing-under.ts'

const pulling = ociDistribution('Pulling manifests', '#pulling-manifests')
const needs = ['push'] as const

/** `small`: what is pushed under the names. */
const test = base.extend('small', ({ registry }) => smallManifests(registry))

/** What no component of a name may be. */
const badComponents = ['UPPER', '-a', 'a_', 'a.', 'a..b', 'a___b', 'a_.b', 'a+b', 'é']
/** Each says of another part of the grammar what a pull makes of a name that breaks it. */
const pulledFrom = ['UPPER/inner', 'a..b', 'é']

/** A registry that keeps names in another form may take two of them for one. */
const alike = ['a.b', 'a-b', 'a---b', 'a_b', 'a__b', 'a/b']
const everySeparator = '9z.9/a.b/c_d/e__f/g---h/0'

describe('Repository names', () => {
  test(
    'oci.base.name.grammar-accepted',
    should(
      'Names of the grammar can be used: with dots, one or two underscores, runs of hyphens, and nested components.',
      pulling,
      { needs },
    ),
    async ({ client, repository, small }) => {
      need('pushing under a plain name', small.plain, 201)
      const names = [...alike, everySeparator].map((name) => `${repository}/${name}`)
      const pushes = [
        ...names.map((name) => ({ wanted: 201, push: () => small.push(client, name, name, 'x') })),
        { wanted: 202, push: () => client.post(`/v2/${repository}/${everySeparator}/blobs/uploads/`) },
      ]
      for (const { wanted, push } of pushes) expectStatus(await push(), wanted)
      for (const name of names) {
        const { mediaType, bytes } = small.labelled(name)
        const answer = await askFor(client, { mediaType, repository: name }, 'x')
        expectContent(answer, bytes)
      }
    },
  )

  test(
    'oci.base.name.invalid-rejected',
    must('A name outside the grammar is refused, to push to and to pull from.', pulling, { needs }),
    async ({ client, repository, small }) => {
      const { mediaType } = small.labelled('')
      for (const bad of [...badComponents, 'UPPER/inner']) {
        const { name, scopes } = await under(client, repository, bad)
        expectRefusal(await client.post(`/v2/${name}/blobs/uploads/`, { scopes }))
      }
      for (const bad of pulledFrom) {
        const { name, scopes } = await under(client, repository, bad)
        expectRefusal(await askFor(client, { mediaType, repository: name }, 'image', { scopes }))
      }
    },
  )

  test(
    'oci.base.name.length',
    should(
      'A name of 255 and one of 1000 characters is used in full or refused, and never cut to the name of another repository.',
      pulling,
      { needs },
    ),
    async ({ client, repository, small }) => {
      need('pushing under a plain name', small.plain, 201)
      for (const length of [255, 1000]) {
        const names = alikeUpTo(repository, length)
        const pushes = [
          ...names.map((name) => () => small.push(client, name, name, 'x')),
          () => client.post(`/v2/${names[0]}/blobs/uploads/`),
        ]
        const statuses: number[] = []
        for (const push of pushes) {
          const { status } = await push()
          expectThat(status < 500, `success or a refusal of a name of ${length} characters`, String(status))
          statuses.push(status)
        }
        for (const [i, name] of names.entries()) await expectOwn(client, name, small, statuses[i] === 201)
      }
    },
  )

  test(
    'oci.base.name.dot-segments',
    should(
      'A name with dot segments or encoded slashes is refused, redirected, or read as the name without them.',
      rfc(3986)('6.2.2.3'),
      { needs },
    ),
    async ({ client, repository, small }) => {
      const b = small.labelled('b')
      need('pushing', await small.push(client, `${repository}/a`, 'a', 'x'), 201)
      need('pushing', await small.push(client, `${repository}/b`, 'b', 'x'), 201)
      const options = { scopes: [`repository:${repository}/b:pull,push`], follow: false, fresh: true }
      const refusedOrSent = (status: number) => status >= 300 && status < 500
      for (const segments of ['a/../b', 'a%2f..%2fb', 'a/%2e%2e/b']) {
        const name = `${repository}/${segments}`
        const headers = { accept: b.mediaType }
        const pulled = await client.get(`/v2/${name}/manifests/x`, { ...options, headers })
        const cleaned = pulled.status === 200 && pulled.text() === Buffer.from(b.bytes).toString()
        const wanted = `a refusal, a redirect, or the content of ${repository}/b`
        expectThat(
          cleaned || refusedOrSent(pulled.status),
          `${wanted} under ${name}`,
          `${pulled.status} with other content`,
        )
        const { status } = await client.post(`/v2/${name}/blobs/uploads/`, options)
        expectThat(
          status === 202 || refusedOrSent(status),
          `202, a refusal or a redirect of an upload to ${name}`,
          `${status}`,
        )
      }
      for (const outside of ['..%2f..%2f..%2f..%2fetc', '%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc']) {
        const { status } = await client.get(`/v2/${outside}/blobs/passwd`, options)
        expectThat(refusedOrSent(status), `a refusal or a redirect of ${outside}`, `${status}`)
      }
    },
  )
})

/** A name as URLs carry it, and the scopes to ask for. */
async function under(client: RegistryClient, repository: string, component: string) {
  const plain = `${repository}/${component}`
  return { name: encodeURI(plain), scopes: await scopesFor(client, plain, repository) }
}

/** Two names of this length that differ in their last character. */
function alikeUpTo(repository: string, length: number): readonly string[] {
  const stem = `${repository}${'/a-long-component-of-a-name'.repeat(50)}`.slice(0, length - 2)
  return ['z0', 'z1'].map((end) => `${stem.replace(/[-/]$/, 'z')}${end}`)
}

/** Under the name is what was pushed there, or nothing where the push was refused. */
async function expectOwn(
  client: RegistryClient,
  name: string,
  small: SmallManifests,
  taken: boolean,
): Promise<void> {
  const { mediaType, bytes } = small.labelled(name)
  const { status, body } = await askFor(client, { mediaType, repository: name }, 'x')
  const own = status === 200 && Buffer.compare(body, bytes) === 0
  expectThat(
    taken ? own : status !== 200,
    `${taken ? 'its own content' : 'nothing, as its push was refused,'} under a name of ${name.length} characters`,
    status === 200 ? 'other content' : String(status),
  )
}
