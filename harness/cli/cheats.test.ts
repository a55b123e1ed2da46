import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { slow } from '../../suites/cheats.faults.ts'
import { assay, node } from './command.test-support.ts'
import { startStack } from './mocks.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-cheats-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** `assay prove` tries all of them on every requirement; here a part of the suites meets some of them, as a user would. */
test.for([
  ['cheat.echo.connection', 'oci.pull.*', /what was pushed .* was not there when read back/],
  ['cheat.incapable', 'oci.pu*', /\d+ requirements got no further than this: .* without a Location/],
  ['cheat.every.7', 'oci.pu*', /\d+ of \d+ requests got a 5xx, or no whole answer/],
  ['cheat.names', 'oci.base.client.*', /as another client goes as for this suite/],
] as const)('%s is never conformant, and the report says why', async ([cheat, only, why]) => {
  // An open registry, for which nobody named a namespace.
  const stack = await startStack({ services: ['registry'], open: true, active: [cheat] })
  try {
    // One after the other, so that every seventh request is the same one each time.
    const how = ['--only', only, '--concurrency', '1', '--seed', '1']
    const args = ['test', '--registry', stack.targets.registry?.url ?? '', ...how]
    const ended = await assay(args, { cwd: folder })
    expect(ended.stdout.replace(/\s+/g, ' ')).toMatch(why)
    expect(ended.stdout).toMatch(/^non-conformant/m)
    expect(ended.code).toBe(1)
  } finally {
    await stack.close()
  }
})

/** Runs the suites with little patience against a registry that is slow after so many requests. */
async function againstSlow(after: number): Promise<string> {
  const cheat = slow(1500)
  const stack = await startStack({ services: ['registry'], open: true, faults: [cheat] })
  await stack.faults.on(cheat.id, { after })
  try {
    const { stdout } = await node(
      `import { run } from 'assay'
       await run({ registry: { url: '${stack.targets.registry?.url}' } }, { limit: 6, timeout: 10 }).then(
         ({ summary }) => console.log(summary.verdict, summary.reasons[0]),
         ({ name, message }) => console.log(name, message),
       )`,
    )
    return stdout
  } finally {
    await stack.close()
  }
}

test('a target that is slow in all that it does is left after a time that was known before', async () => {
  const ended = 'so slow that the run was ended after 6 s'
  expect(await againstSlow(0)).toContain(
    `UnreachableError the targets were ${ended}, before the first requirement`,
  )
  expect(await againstSlow(120)).toMatch(
    new RegExp(`^non?t?-(conformant|verified) the targets were ${ended}`),
  )
})
