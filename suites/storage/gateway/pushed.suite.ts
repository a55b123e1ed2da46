import { describe } from 'vitest'
import { expectBytes, expectStatus, expectThat } from '../../../harness/finding.ts'
import { must, should } from '../../../harness/requirement.ts'
import { pushBlob } from '../../push.ts'
import { test as base } from '../../service/storage-node.ts'
import { gatewayOf } from '../gateway.ts'
import { deployment, gatewayOfService } from '../sources.ts'

const needs = ['registry', 'push', 'storage', 'gateway'] as const
const elsewhere = 'the registry keeps content under other CIDs than those of default options'

const test = base.extend('gateway', ({ run, http }) => gatewayOf(run, http))

describe('Pushed content on the gateway', () => {
  test(
    'storage.gateway.pushed-blob',
    must('The content of a pushed blob is on the gateway under its CID', deployment, { needs, on: 'stack' }),
    async ({ run, client, repository, content, storage, gateway, skip }) => {
      skip(run.capabilities['gateway.private']?.offered === true, 'the gateway is declared private')
      const blob = await pushBlob(client, repository, content.bytes(300_000))
      const cid = await storage.cidOf(blob)
      skip(!(await storage.keeps(cid)), elsewhere)
      const answer = await gateway.get(cid, { fresh: true })
      expectStatus(answer, 200)
      expectBytes(answer, blob.bytes)
    },
  )

  test(
    'storage.gateway.private-leak',
    should(
      'A gateway that is declared private does not serve the content of private layers',
      gatewayOfService,
      {
        needs: [...needs, 'auth', 'gateway.private'],
        on: 'stack',
      },
    ),
    async ({ client, repository, content, storage, gateway, skip }) => {
      const blob = await pushBlob(client, repository, content.bytes(5000))
      const cid = await storage.cidOf(blob)
      skip(!(await storage.keeps(cid)), elsewhere)
      const { status, body } = await gateway.get(cid, { fresh: true })
      const leaked = status >= 200 && status < 300 && Buffer.compare(body, blob.bytes) === 0
      expectThat(!leaked, 'no content of a private layer without credentials', `${status} with its bytes`)
    },
  )
})
