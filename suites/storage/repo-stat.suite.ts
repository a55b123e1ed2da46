import { describe } from 'vitest'
import type { Answer } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import { expectJson, expectStatus, expectThat } from '../../harness/finding.ts'
import { must, should } from '../../harness/requirement.ts'
import { kuboConfig } from '../specifications.ts'
import { step } from '../step.ts'
import { type StorageNode, test } from './node.ts'
import { api, command, deployment } from './sources.ts'

const needs = ['storage'] as const
const size = 4 << 20
const mostTries = 5

describe('Size of the repository', () => {
  test(
    'storage.repo-stat',
    must('repo/stat answers 200 with a JSON object that states RepoSize, a whole number of bytes', api, {
      needs,
    }),
    async ({ storage }) => {
      expectCount(statOf(await storage.rpc('repo/stat')), 'RepoSize')
    },
  )

  test(
    'storage.repo-stat.fields',
    should(
      'RepoSize, StorageMax and NumObjects are whole numbers that are not negative',
      command('repo/stat'),
      {
        needs,
      },
    ),
    async ({ storage }) => {
      const stat = await statistics(storage)
      for (const name of ['RepoSize', 'StorageMax', 'NumObjects']) expectCount(stat, name)
    },
  )

  test(
    'storage.repo-stat.grows',
    should('New content makes RepoSize grow by about its size', api, { needs }),
    async ({ storage, content }) => {
      // Others add and collect at the same time: what comes once, undisturbed, is proof.
      const seen: number[] = []
      while (!seen.some(near) && seen.length < mostTries) {
        const before = await sizeOf(storage)
        await storage.stored(content.bytes(size))
        seen.push((await sizeOf(storage)) - before)
      }
      expectThat(seen.some(near), `growth of 90 % to 150 % of ${size} bytes`, seen.join(', '))
    },
  )

  test(
    'storage.repo-stat.dedup',
    must('Content that is there already is not stored again', deployment, { needs }),
    async ({ storage, content }) => {
      const bytes = content.bytes(size)
      await storage.stored(bytes)
      const seen: number[] = []
      while (!seen.some((growth) => growth < size / 10) && seen.length < mostTries) {
        const before = await sizeOf(storage)
        await storage.stored(bytes)
        seen.push((await sizeOf(storage)) - before)
      }
      const little = seen.some((growth) => growth < size / 10)
      expectThat(
        little,
        `growth of less than a tenth of the ${size} bytes that are added again`,
        seen.join(', '),
      )
    },
  )

  test(
    'storage.repo-stat.storage-max',
    should(
      'StorageMax is the limit of the configuration, in which 100GB means 100,000,000,000 bytes',
      kuboConfig('Datastore.StorageMax', '#datastorestoragemax'),
      { needs },
    ),
    async ({ storage, skip }) => {
      const answer = await storage.rpc('config', { arg: 'Datastore.StorageMax' })
      skip(answer.status !== 200, 'the node does not tell its configuration')
      const { Value } = Object(expectJson(answer)) as { readonly Value?: unknown }
      const limit = typeof Value === 'string' ? bytesIn(Value) : undefined
      if (limit === undefined) return skip('the limit is configured in no unit that is known here')
      const { StorageMax } = await statistics(storage)
      expectThat(StorageMax === limit, `the StorageMax ${limit} for ${Value}`, String(StorageMax))
    },
  )
})

const near = (growth: number) => growth >= size * 0.9 && growth <= size * 1.5

function statOf(answer: Answer): Readonly<Record<string, unknown>> {
  expectStatus(answer, 200)
  return Object(expectJson(answer))
}

/** What is told, for what builds on it. */
async function statistics(storage: StorageNode): Promise<Readonly<Record<string, unknown>>> {
  const answer = await storage.rpc('repo/stat')
  return step('asking for the size of the node', () => statOf(answer))
}

function expectCount(stat: Readonly<Record<string, unknown>>, name: string): void {
  const value = stat[name]
  const right = typeof value === 'number' && Number.isInteger(value) && value >= 0
  expectThat(right, `${name}, a whole number that is not negative`, JSON.stringify(value) ?? 'none')
}

async function sizeOf(storage: StorageNode): Promise<number> {
  const { RepoSize } = await statistics(storage)
  if (typeof RepoSize !== 'number') throw new PrerequisiteFailure('repo/stat answered without RepoSize')
  return RepoSize
}

const decimal = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
const binary = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

function bytesIn(text: string): number | undefined {
  const [, number, unit = ''] = /^\s*([0-9.]+)\s*([A-Za-z]*)\s*$/.exec(text) ?? []
  const place = (units: readonly string[]) =>
    units.findIndex((each) => each.toLowerCase() === unit.toLowerCase())
  const [tens, twos] = [place(decimal), place(binary)]
  if (number === undefined || (unit !== '' && tens < 0 && twos < 0)) return undefined
  return unit === '' ? Number(number) : Number(number) * (tens >= 0 ? 1000 ** tens : 1024 ** twos)
}
