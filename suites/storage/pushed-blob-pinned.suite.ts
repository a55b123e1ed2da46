import { describe } from 'vitest'
import { Finding } from '../../harness/finding.ts'
import { must } from '../../harness/requirement.ts'
import { pushBlob } from '../push.ts'
import { test } from '../service/storage-node.ts'
import { inTurn } from './collection.ts'
import { deployment } from './sources.ts'

describe('Pushed content on the node', () => {
  test(
    'storage.pushed-blob-pinned',
    must('The CID of every pushed blob is pinned', deployment, {
      needs: ['registry', 'push', 'storage'],
      on: 'stack',
    }),
    async ({ run, http, client, repository, content, storage, skip }) => {
      const url = run.targets.storage?.url ?? ''
      const ask = (command: string, query: string) =>
        http.request('POST', `${url}/api/v0/${command}?${query}`)
      skip((await ask('pin/ls', 'type=recursive')).status !== 200, 'the node does not list pins')
      // Without a pin the blob may be collected before anyone looks: then nothing would tell it from one elsewhere.
      await inTurn({ url }, async () => {
        for (const size of [1000, 600_000]) {
          const cid = await storage.cidOf(await pushBlob(client, repository, content.bytes(size)))
          if (await storage.keeps(cid)) continue
          const { status } = await ask('cat', `arg=${cid}&offline=true&timeout=2s`)
          skip(status !== 200, 'the registry keeps content under other CIDs than those of default options')
          throw new Finding(`${cid}, the CID of a pushed blob, pinned`, 'it is on the node without a pin')
        }
      })
    },
  )
})
