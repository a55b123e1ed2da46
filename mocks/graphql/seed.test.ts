import { expect, test } from 'vitest'
import { openPlatform, tokens } from './client.contract.ts'
import { parsePlatformSeed } from './parse-seed.ts'
import { type PlatformSeed, PlatformSeedError } from './seed.ts'

const seed: PlatformSeed = {
  projects: [
    {
      user: 'ada',
      name: 'Shop',
      services: [
        {
          name: 'Web',
          dockerImage: 'registry.example.org/web:1',
          variables: [{ key: 'PASSWORD', value: 'x', secret: true }],
          deployed: true,
        },
        { name: 'Database', templateId: 'relational-database' },
      ],
    },
    { user: 'bob', name: 'Blog' },
  ],
}

test('what a seed names is there from the start, for its user, and again after a reset', async () => {
  const { platform, data } = await openPlatform({ seed: parsePlatformSeed(seed) })
  const mine = async () =>
    await data('{ projects { data { id name } } allDeployments { id status serviceName } }')
  const before = await mine()
  expect(before).toMatchObject({
    projects: { data: [{ name: 'Shop' }] },
    allDeployments: [{ status: 'ACTIVE', serviceName: 'Web' }],
  })
  expect(await data('{ projects { data { name } } }', {}, tokens.bob)).toEqual({
    projects: { data: [{ name: 'Blog' }] },
  })
  const [{ id }] = before.projects.data
  const services = 'query ($id: ID!) { serviceRegistry(projectId: $id) { name envVars { key value } } }'
  expect((await data(services, { id })).serviceRegistry).toEqual([
    { name: 'Database', envVars: [] },
    { name: 'Web', envVars: [{ key: 'PASSWORD', value: '••••••••' }] },
  ])
  await data('mutation ($id: ID!) { deleteProject(id: $id) }', { id })
  platform.reset()
  expect(await mine()).toEqual(before)
})

test('a seed that is not valid is refused with the place of the fault', async () => {
  const wrong = { projects: [{ user: 'ada', name: 'Shop', servces: [] }, { name: 'Blog' }] }
  expect(() => parsePlatformSeed(wrong)).toThrow(/\/projects\/0 .*"servces".*\/projects\/1 .*'user'/)
  const unknown = {
    projects: [{ user: 'ada', name: 'Shop', services: [{ name: 'x', templateId: 'nosuch' }] }],
  }
  const error = await openPlatform({ seed: unknown }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(PlatformSeedError)
  expect(error).toHaveProperty(
    'message',
    'The project /projects/0 of the seed: There is no template "nosuch"',
  )
})
