import { expect, test } from 'vitest'
import { openPlatform } from './client.contract.ts'

const deployTemplate =
  'mutation ($input: DeployCompositeTemplateInput!) { deployCompositeTemplate(input: $input) { primaryServiceId partialSuccess succeededComponents } }'
const services =
  'query ($id: ID) { serviceRegistry(projectId: $id) { id name type parentServiceId envVars { key value source } ports { containerPort publicPort } } }'

async function openProject() {
  const open = await openPlatform()
  const { createProject } = await open.data('mutation { createProject(data: { name: "Shop" }) { id } }')
  return { ...open, projectId: createProject.id }
}

test('templates are listed by category, and those that are internal only found by their id', async () => {
  const { data } = await openPlatform()
  expect((await data('{ templates(category: DATABASE) { id } }')).templates).toEqual([
    { id: 'relational-database' },
  ])
  const { templates } = await data('{ templates { id } }')
  expect(templates).not.toContainEqual({ id: 'build-runner' })
  const one = 'query ($id: ID!) { template(id: $id) { releaseStage resources { gpu { units } } } }'
  expect(await data(one, { id: 'build-runner' })).toEqual({
    template: { releaseStage: 'internal', resources: { gpu: null } },
  })
  expect(await data(one, { id: 'nosuch' })).toEqual({ template: null })
})

test('a template with components becomes one service each, deployed, with their variables and ports', async () => {
  const { data, projectId } = await openProject()
  const input = {
    templateId: 'shop',
    projectId,
    mode: 'fullstack',
    serviceName: 'Front door',
    envOverrides: [
      { key: 'TITLE', value: 'Books' },
      { key: 'DB_PASSWORD', value: 'x' },
    ],
  }
  const { deployCompositeTemplate: result } = await data(deployTemplate, { input })
  const { serviceRegistry } = await data(services, { id: projectId })
  const [database, front] = serviceRegistry
  expect(result).toEqual({
    primaryServiceId: front.id,
    partialSuccess: false,
    succeededComponents: ['front', 'database'],
  })
  expect(front).toMatchObject({ name: 'Front door', parentServiceId: null, ports: [{ publicPort: 80 }] })
  expect(front.envVars).toContainEqual({ key: 'TITLE', value: 'Books', source: 'template' })
  expect(database).toMatchObject({ name: 'Database', type: 'DATABASE', parentServiceId: front.id })
  expect(database.envVars).toContainEqual({ key: 'DB_PASSWORD', value: '••••••••', source: 'template' })
  expect(database.ports).toEqual([{ containerPort: 5432, publicPort: null }])
  expect((await data('{ allDeployments { serviceName source } }')).allDeployments).toEqual(
    expect.arrayContaining([
      { serviceName: 'Front door', source: 'template' },
      { serviceName: 'Database', source: 'template' },
    ]),
  )
})

test('what cannot be deployed is refused as a whole', async () => {
  const { data, refusal, projectId } = await openProject()
  const input = { templateId: 'text-model', projectId, mode: 'custom' }
  const model = [{ key: 'MODEL', value: 'small' }]
  for (const wrong of [
    {},
    { envOverrides: model, mode: 'other' },
    { envOverrides: model, templateId: 'nosuch' },
    { envOverrides: model, enabledComponentIds: ['nosuch'] },
    { envOverrides: model, resourceOverrides: { memory: 'much' } },
    { envOverrides: [...model, { key: 'not a key', value: '' }] },
  ]) {
    expect(await refusal(deployTemplate, { input: { ...input, ...wrong } })).toBe('BAD_USER_INPUT')
  }
  expect(await data(services, { id: projectId })).toEqual({ serviceRegistry: [] })
  await data(deployTemplate, { input: { ...input, envOverrides: model } })
  expect((await data(services, { id: projectId })).serviceRegistry).toHaveLength(1)
})
