import { setTimeout } from 'node:timers/promises'
import { describe } from 'vitest'
import { expectBytes, expectStatus, expectThat } from '../../harness/finding.ts'
import { should } from '../../harness/requirement.ts'
import { form } from '../multipart.ts'
import { kuboConfig } from '../specifications.ts'
import { collect, inTurn } from './collection.ts'
import { test } from './node.ts'
import { addSlowly } from './slow-add.ts'

describe('Garbage collection', () => {
  test(
    'storage.gc.during-add',
    should(
      'A collection during an add does not take the content that is being added',
      kuboConfig('Datastore.GCPeriod', '#datastoregcperiod'),
      { needs: ['storage', 'allow.gc'] },
    ),
    async ({ storage, session, content, skip }) => {
      await inTurn(storage, async () => {
        const bytes = content.bytes(3_000_000)
        const url = `${storage.url}/api/v0/add?pin=true`
        const upload = await addSlowly(session, url, form(bytes))
        // A node may let the collection wait for the upload, or go on beside it: the second half follows either way.
        const collected = collect(storage, skip)
        collected.catch(() => undefined)
        await Promise.race([collected.catch(() => undefined), setTimeout(300)])
        const answer = await upload.finish()
        await collected
        const cid = /"Hash":\s*"([^"]+)"/.exec(answer)?.[1]
        const added = /^HTTP\/1\.[01] 200 /.test(answer) && cid !== undefined
        expectThat(added, 'a 200 to add, with a Hash', answer.slice(0, 80))
        const read = await storage.cat(cid, { timeout: '5s' }, { fresh: true })
        expectStatus(read, 200)
        expectBytes(read, bytes.bytes)
      })
    },
  )
})
