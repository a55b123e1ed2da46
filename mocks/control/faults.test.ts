import { expect, test } from 'vitest'
import type { Handler } from '../handler.ts'
import type { Stores } from '../registry/stores.ts'
import type { Fault } from './fault.ts'
import { createFaults } from './faults.ts'

/** Puts its name into the answer, so that the order of the layers can be read. */
const naming = (id: string): Fault => ({
  id,
  seams: {
    registry: (next) => async (request, context) =>
      new Response(`${id}(${await (await next(request, context)).text()})`),
  },
})

const real: Handler = () => new Response('real')

const ask = async (handler: Handler, path = '/v2/', method = 'GET') => {
  const response = await handler(new Request(`http://127.0.0.1${path}`, { method }), {})
  return response.text()
}

test('faults wrap in the order in which they are switched on, and go when they are switched off', async () => {
  const faults = createFaults([naming('a'), naming('b')])
  const handler = faults.wrap('registry', real)
  expect(await ask(handler)).toBe('real')
  await faults.on('a')
  await faults.on('b')
  expect(await ask(handler)).toBe('b(a(real))')
  await faults.on('a')
  expect(await ask(handler)).toBe('a(b(real))')
  await faults.off('b')
  expect(await ask(handler)).toBe('a(real)')
  await faults.off()
  expect(await ask(handler)).toBe('real')
})

test('a fault meets only the requests that match, after the first ones, and only so many', async () => {
  const faults = createFaults([naming('a')])
  const handler = faults.wrap('registry', real)
  const match = { method: 'put', path: '/v2/*/manifests/*', query: { tag: 'x' } }
  await faults.on('a', { match, after: 1, times: 2 })
  const put = () => ask(handler, '/v2/team/app/manifests/1?tag=x', 'PUT')
  expect(await ask(handler, '/v2/team/app/manifests/1?tag=x')).toBe('real')
  expect(await ask(handler, '/v2/team/app/manifests/1?tag=y', 'PUT')).toBe('real')
  expect(await ask(handler, '/v2/team/app/blobs/1?tag=x', 'PUT')).toBe('real')
  expect([await put(), await put(), await put(), await put()]).toEqual(['real', 'a(real)', 'a(real)', 'real'])
  expect(faults.active()).toEqual([{ id: 'a', match, after: 1, times: 2, hits: 2 }])
})

test('what a fault remembers survives the switching of others', async () => {
  const counting: Fault = {
    id: 'counting',
    seams: {
      registry: () => {
        let count = 0
        return () => {
          count += 1
          return new Response(String(count))
        }
      },
    },
  }
  const faults = createFaults([counting, naming('a')])
  const handler = faults.wrap('registry', real)
  await faults.on('counting')
  expect(await ask(handler)).toBe('1')
  await faults.on('a')
  expect(await ask(handler)).toBe('a(2)')
  await faults.off('a')
  expect(await ask(handler)).toBe('3')
})

/** A store with state of its own, which only works on itself. */
class Tags {
  readonly #tags = ['1']
  async list() {
    return this.#tags
  }
  async remove() {
    return true
  }
}

const repositories = { exists: async () => true, list: async () => [] }

/** As much of the stores as is used here. */
const stores = () => ({ tags: new Tags(), repositories }) as unknown as Stores

const forgetful: Fault = {
  id: 'forgetful',
  seams: { stores: (next) => ({ ...next, tags: { ...next.tags, list: async () => [] } }) },
}

const page = { limit: 1, last: '' }

test('a fault in the stores is switched while the registry holds on to what it was given', async () => {
  const faults = createFaults([forgetful])
  const { tags, repositories } = faults.wrapStores(stores())
  expect(await tags.list('a', page)).toEqual(['1'])
  await faults.on('forgetful')
  expect([await tags.list('a', page), await repositories.exists('a')]).toEqual([[], true])
  await faults.off('forgetful')
  expect(await tags.list('a', page)).toEqual(['1'])
})

test('a fault in the stores with a match works for the matching requests of the registry only', async () => {
  const faults = createFaults([forgetful])
  const { tags } = faults.wrapStores(stores())
  const registry = faults.wrap('registry', async () => Response.json(await tags.list('a', page)))
  await faults.on('forgetful', { match: { method: 'HEAD' }, times: 1 })
  expect(await ask(registry)).toBe('["1"]')
  expect(await ask(registry, '/', 'HEAD')).toBe('[]')
  expect(await ask(registry, '/', 'HEAD')).toBe('["1"]')
  expect(await tags.list('a', page)).toEqual(['1'])
})

test('an id that is not known is refused with those near it', async () => {
  const faults = createFaults(async () => [
    naming('reg.manifest.stale'),
    naming('reg.blob.short'),
    naming('gql.auth'),
  ])
  await expect(faults.on('reg.manifest.stael')).rejects.toMatchObject({
    code: 'unknown-fault',
    message: expect.stringMatching(/near it: reg\.manifest\.stale$/),
  })
  await expect(faults.off('nothing like it')).rejects.toMatchObject({ code: 'unknown-fault' })
  await expect(createFaults([]).on('x')).rejects.toThrow('without a table of faults')
})
