import { describe } from 'vitest'
import { emptyConfig } from '../../fixtures/config.ts'
import { type Content, typed } from '../../fixtures/content.ts'
import { artifactManifest } from '../../fixtures/manifest.ts'
import type { Answer } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import { expectContent, expectStatus, Finding } from '../../harness/finding.ts'
import { must } from '../../harness/requirement.ts'
import { tokenServiceUrl } from '../../harness/token-service.ts'
import { locationOf, withDigest } from '../push.ts'
import { theService } from '../specifications.ts'
import { type Attempt, occupy, readManifest } from './attempts.ts'
import { followed } from './followed.ts'
import { type Issued, type Login, test } from './login.ts'
import { bearerOf, expectUnauthorized } from './refusals.ts'

const authentication = theService('Registry authentication', '#registry-authentication')
const octets = { 'content-type': 'application/octet-stream' }

describe('From the challenge to the content', () => {
  test(
    'auth.flow.pull',
    must('A client that knows only its credentials and what the challenges say can pull', authentication, {
      on: 'stack',
      needs: ['auth', 'credentials', 'push'],
    }),
    async ({ client, repository, content, login, present }) => {
      const occupied = await occupy(client, repository, content)
      const { manifest, blob } = occupied
      const wanted: readonly (readonly [Attempt, Content])[] = [
        [readManifest(occupied), manifest],
        [{ method: 'GET', path: `/v2/${repository}/blobs/${blob.digest}` }, blob],
      ]
      for (const [attempt, { bytes }] of wanted) {
        const { method, path, options } = attempt
        const challenged = await present(undefined, method, path, options)
        expectUnauthorized(challenged)
        const token = await answerTo(challenged, login)
        expectContent(await followed(present, token, attempt), bytes)
      }
    },
  )

  test(
    'auth.flow.push',
    must('A client that knows only its credentials and what the challenge says can push', authentication, {
      on: 'stack',
      needs: ['auth', 'credentials', 'push'],
    }),
    async ({ repository, content, login, present }) => {
      const blob = content.bytes(300)
      const uploads = `/v2/${repository}/blobs/uploads/`
      const challenged = await present(undefined, 'POST', uploads)
      expectUnauthorized(challenged)
      const token = await answerTo(challenged, login)
      for (const body of [blob, emptyConfig]) {
        const session = await present(token, 'POST', uploads)
        expectStatus(session, 202)
        const url = withDigest(locationOf(session), body.digest)
        expectStatus(await present(token, 'PUT', url, { headers: octets, body }), 201)
      }
      const layer = typed(blob, 'application/vnd.assay.layer')
      const manifest = artifactManifest({ artifactType: 'application/vnd.assay.flow', layers: [layer] })
      const headers = { 'content-type': manifest.mediaType }
      const path = `/v2/${repository}/manifests/flow`
      expectStatus(await present(token, 'PUT', path, { headers, body: manifest }), 201)
      const options = { headers: { accept: manifest.mediaType } }
      const read = await followed(present, token, { method: 'GET', path, options })
      expectContent(read, manifest.bytes)
    },
  )
})

/** A token for what a challenge asks for, from where it says. */
async function answerTo(challenged: Answer, login: Login): Promise<Issued> {
  const { realm, service, scope } = bearerOf(challenged)?.parameters ?? {}
  try {
    return await login.issue({
      realm: tokenServiceUrl(realm, challenged.url),
      ...(service !== undefined && { service }),
      ...(scope !== undefined && { scopes: scope.split(' ') }),
    })
  } catch (error) {
    if (!(error instanceof PrerequisiteFailure)) throw error
    const { pathname } = new URL(challenged.url)
    throw new Finding('a token for the challenge on '.concat(pathname), error.message)
  }
}
