import { describe } from 'vitest'
import type { Content } from '../../fixtures/content.ts'
import type { Answer } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import { expectThat } from '../../harness/finding.ts'
import type { RegistryClient } from '../../harness/registry-client.ts'
import { should } from '../../harness/requirement.ts'
import { pushImage } from '../push.ts'
import { theService } from '../specifications.ts'
import { test } from './storage-node.ts'

describe('Names in the storage node', () => {
  test(
    'service.cid.not-disclosed',
    should(
      'The registry does not tell the CID of a private layer to who may not pull it, since the gateway would give it out',
      theService('Gateway', '#gateway'),
      { needs: ['registry', 'push', 'auth', 'private', 'storage'], on: 'stack' },
    ),
    async ({ run, client, registry, repository, content, storage, skip }) => {
      const { config } = await pushImage(client, repository, content, 'private')
      const cid = await storage.cidOf(config)
      skip(
        !(await storage.keeps(cid)),
        'the registry keeps content under other CIDs than those of default options',
      )
      const spellings = [cid, await storage.cidOf(config, 'base32'), await storage.cidOf(config, 'base36')]
      const callers = run.capabilities.stranger?.offered
        ? (['anonymous', 'stranger'] as const)
        : ['anonymous' as const]
      for (const account of callers) {
        for (const answer of await askAround(registry.as(account), repository, config)) {
          const told = spellings.find((spelling) => textOf(answer).includes(spelling))
          const where = `${answer.method} ${new URL(answer.url).pathname} by ${account}`
          expectThat(told === undefined, `no CID in the answer to ${where}`, `${answer.status} with ${told}`)
        }
      }
    },
  )
})

/** The answers to all that one can ask of a layer; none where the caller does not even get a token. */
async function askAround(
  client: RegistryClient,
  repository: string,
  { digest }: Content,
): Promise<readonly Answer[]> {
  const base = `/v2/${repository}`
  const asked = [
    ['GET', `${base}/blobs/${digest}`],
    ['HEAD', `${base}/blobs/${digest}`],
    ['GET', `${base}/manifests/private`],
    ['GET', `${base}/tags/list`],
    ['GET', `${base}/referrers/${digest}`],
    ['POST', `${base}/blobs/uploads/?mount=${digest}&from=${encodeURIComponent(repository)}`],
  ] as const
  try {
    return await Promise.all(asked.map(([method, path]) => client.request(method, path, { follow: false })))
  } catch (error) {
    if (error instanceof PrerequisiteFailure) return []
    throw error
  }
}

const textOf = (answer: Answer): string => `${answer.headers.flat().join('\n')}\n${answer.text()}`
