import { expect, test } from 'vitest'
import { openPlatform, tokens } from './client.contract.ts'

const createProject = 'mutation ($name: String!) { createProject(data: { name: $name }) { id } }'
const createService = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id slug } }'

async function openService(image = 'registry.example.org/web:1') {
  const open = await openPlatform()
  const { createProject: project } = await open.data(createProject, { name: 'Shop' })
  const input = { name: 'Web', projectId: project.id, dockerImage: image, containerPort: 8080 }
  const { createService: service } = await open.data(createService, { input })
  return { ...open, project, service }
}

test('services are listed newest first, under a free slug, of the project that is asked for', async () => {
  const { data, refusal, send, project } = await openService()
  const input = { name: 'web', projectId: project.id, type: 'DATABASE', templateId: 'relational-database' }
  await data(createService, { input })
  const list =
    'query ($id: ID) { serviceRegistry(projectId: $id) { slug type dockerImage internalHostname } }'
  expect((await data(list, { id: project.id })).serviceRegistry).toEqual([
    {
      slug: 'web-2',
      type: 'DATABASE',
      dockerImage: 'registry.example.org/relational-database:16.2',
      internalHostname: 'web-2.shop.internal',
    },
    {
      slug: 'web',
      type: 'VM',
      dockerImage: 'registry.example.org/web:1',
      internalHostname: 'web.shop.internal',
    },
  ])
  expect(await refusal(list)).toBe('BAD_USER_INPUT')
  expect(await refusal(list, { id: 'prj_none' })).toBe('NOT_FOUND')
  expect(await refusal(list, { id: project.id }, tokens.bob)).toBe('UNAUTHORIZED')
  const byHeader = await send(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tokens.ada}`,
        'x-project-id': project.id,
      },
      body: JSON.stringify({ query: '{ serviceRegistry { slug } }' }),
    }),
  )
  expect(await byHeader.json()).toEqual({ data: { serviceRegistry: [{ slug: 'web-2' }, { slug: 'web' }] } })
  for (const wrong of [{ flavor: 'tart' }, { templateId: 'nosuch' }, { name: '' }, { containerPort: 0 }]) {
    expect(await refusal(createService, { input: { ...input, ...wrong } })).toBe('BAD_USER_INPUT')
  }
})

test('a service changes where it is told to, and refuses an image that moves', async () => {
  const { data, refusal, service } = await openService()
  const update =
    'mutation ($id: ID!, $input: UpdateServiceInput!) { updateService(serviceId: $id, input: $input) { dockerImage containerPort volumes } }'
  const input = {
    dockerImage: 'registry.example.org/web:2',
    containerPort: null,
    volumes: [{ name: 'data' }],
  }
  expect((await data(update, { id: service.id, input })).updateService).toEqual({
    dockerImage: 'registry.example.org/web:2',
    containerPort: 8080,
    volumes: [{ name: 'data' }],
  })
  expect(await refusal(update, { id: service.id, input: { dockerImage: 'web:latest' } })).toBe(
    'BAD_USER_INPUT',
  )
  expect(await refusal(update, { id: service.id, input: { containerPort: 70_000 } })).toBe('BAD_USER_INPUT')
  expect(await refusal(update, { id: service.id, input: {} }, tokens.bob)).toBe('UNAUTHORIZED')
  const priority =
    'mutation ($id: ID!) { updateServicePriority(serviceId: $id, shutdownPriority: 900) { shutdownPriority } }'
  expect(await data(priority, { id: service.id })).toEqual({
    updateServicePriority: { shutdownPriority: 100 },
  })
})

test('a secret variable is masked wherever it is listed, and told where it is revealed', async () => {
  const { data, refusal, project, service } = await openService()
  const set =
    'mutation ($id: ID!, $key: String!, $value: String!, $secret: Boolean) { setServiceEnvVar(serviceId: $id, key: $key, value: $value, secret: $secret) { id value } }'
  const secret = { id: service.id, key: 'PASSWORD', value: 'hunter2', secret: true }
  const { setServiceEnvVar: first } = await data(set, secret)
  const { setServiceEnvVar: again } = await data(set, { ...secret, value: 'hunter3', secret: null })
  expect([first.value, again]).toEqual(['••••••••', { id: first.id, value: '••••••••' }])
  const bulk =
    'mutation ($id: ID!, $vars: [EnvVarInput!]!) { bulkSetServiceEnvVars(serviceId: $id, vars: $vars) { key } }'
  const vars = [
    { key: 'HOST', value: 'ünïcode' },
    { key: '1BAD', value: '' },
  ]
  expect(await refusal(bulk, { id: service.id, vars })).toBe('BAD_USER_INPUT')
  const list = 'query ($id: ID) { serviceRegistry(projectId: $id) { envVars { key value secret } } }'
  const listed = async () => (await data(list, { id: project.id })).serviceRegistry[0].envVars
  expect(await listed()).toEqual([{ key: 'PASSWORD', value: '••••••••', secret: true }])
  expect(await refusal(set, { ...secret, value: 'x'.repeat(65_537) })).toBe('BAD_USER_INPUT')
  await data(bulk, { id: service.id, vars: vars.slice(0, 1) })
  expect(await listed()).toContainEqual({ key: 'HOST', value: 'ünïcode', secret: false })

  const reveal = 'mutation ($id: ID!, $key: String!) { revealServiceEnvVar(serviceId: $id, key: $key) }'
  const remove = 'mutation ($id: ID!, $key: String!) { deleteServiceEnvVar(serviceId: $id, key: $key) }'
  const password = { id: service.id, key: 'PASSWORD' }
  expect(await data(reveal, password)).toEqual({ revealServiceEnvVar: 'hunter3' })
  expect(await refusal(reveal, password, tokens.bob)).toBe('UNAUTHORIZED')
  expect(await refusal(remove, password, tokens.bob)).toBe('UNAUTHORIZED')
  expect(await data(remove, password)).toEqual({ deleteServiceEnvVar: true })
  expect(await refusal(reveal, password)).toBe('NOT_FOUND')
})

test('ports open and close, links join services of one project', async () => {
  const { data, refusal, project, service } = await openService()
  const setPort =
    'mutation ($id: ID!, $public: Int, $protocol: String) { setServicePort(serviceId: $id, containerPort: 80, publicPort: $public, protocol: $protocol) { id publicPort protocol } }'
  const { setServicePort: port } = await data(setPort, { id: service.id })
  expect(port).toMatchObject({ publicPort: null, protocol: 'TCP' })
  expect((await data(setPort, { id: service.id, public: 8080, protocol: 'udp' })).setServicePort).toEqual({
    id: port.id,
    publicPort: 8080,
    protocol: 'UDP',
  })
  expect(await refusal(setPort, { id: service.id, public: 0 })).toBe('BAD_USER_INPUT')
  expect(await refusal(setPort, { id: service.id, protocol: 'IPX' })).toBe('BAD_USER_INPUT')
  const closePort = 'mutation ($id: ID!) { deleteServicePort(serviceId: $id, containerPort: 80) }'
  expect(await data(closePort, { id: service.id })).toEqual({ deleteServicePort: true })
  expect(await refusal(closePort, { id: service.id })).toBe('NOT_FOUND')

  const input = { name: 'Database', projectId: project.id }
  const { createService: database } = await data(createService, { input })
  const { createProject: elsewhere } = await data(createProject, { name: 'Elsewhere' })
  const { createService: stranger } = await data(createService, {
    input: { ...input, projectId: elsewhere.id },
  })
  const link =
    'mutation ($a: ID!, $b: ID!) { linkServices(sourceServiceId: $a, targetServiceId: $b, alias: "db") { id targetService { name } } }'
  const unlink = 'mutation ($a: ID!, $b: ID!) { unlinkServices(sourceServiceId: $a, targetServiceId: $b) }'
  const ends = { a: service.id, b: database.id }
  const { linkServices: linked } = await data(link, ends)
  expect(await data(link, ends)).toEqual({ linkServices: linked })
  expect(await refusal(link, { a: service.id, b: service.id })).toBe('BAD_USER_INPUT')
  expect(await refusal(link, { a: service.id, b: stranger.id })).toBe('BAD_USER_INPUT')
  const links = 'query ($id: ID!) { serviceLinks(projectId: $id) { alias sourceServiceId targetServiceId } }'
  expect((await data(links, { id: project.id })).serviceLinks).toEqual([
    { alias: 'db', sourceServiceId: service.id, targetServiceId: database.id },
  ])
  await data('mutation ($id: ID!) { deleteService(id: $id) { id } }', { id: database.id })
  expect((await data(links, { id: project.id })).serviceLinks).toEqual([])
  expect(await refusal(unlink, ends)).toBe('NOT_FOUND')
})

const deploy =
  'mutation ($id: ID!, $policy: DeploymentPolicyInput) { deployService(serviceId: $id, policy: $policy) { id shortId status } }'
const list =
  '{ allDeployments { id status statusMessage image serviceName projectName author { id } updatedAt policy { stopReason stoppedAt totalSpentUsd } } }'

test('a deployment goes through its states by the clock, and holds its service until it is closed', async () => {
  const { data, refusal, pass, clock, service } = await openService()
  const { deployService: deployment } = await data(deploy, { id: service.id })
  expect(deployment.shortId).toBe(deployment.id.slice(-8))
  const status = async () => (await data(list)).allDeployments[0].status
  const seen = [await status()]
  for (let second = 1; second <= 6; second++) {
    await pass(1000)
    seen.push(await status())
  }
  expect(seen).toEqual(['INITIALIZING', 'QUEUED', 'QUEUED', 'DEPLOYING', 'DEPLOYING', 'DEPLOYING', 'ACTIVE'])
  const activeSince = new Date(clock.now()).toISOString()
  await pass(3_600_000)
  expect((await data(list)).allDeployments[0]).toEqual({
    id: deployment.id,
    status: 'ACTIVE',
    statusMessage: null,
    image: 'registry.example.org/web:1',
    serviceName: 'Web',
    projectName: 'Shop',
    author: { id: 'ada' },
    updatedAt: activeSince,
    policy: null,
  })
  const health = 'query ($id: ID!) { deploymentHealth(serviceId: $id) { overall containers { ready uris } } }'
  expect((await data(health, { id: service.id })).deploymentHealth).toMatchObject({
    overall: 'healthy',
    containers: [{ ready: true, uris: [expect.stringContaining('web-')] }],
  })
  const logs = 'query ($id: ID!, $tail: Int) { serviceLogs(serviceId: $id, tail: $tail) { logs } }'
  expect((await data(logs, { id: service.id })).serviceLogs.logs).toMatch(
    /INITIALIZING\n.*QUEUED\n.*DEPLOYING\n.*ACTIVE$/,
  )
  expect((await data(logs, { id: service.id, tail: 1 })).serviceLogs.logs).toBe(`${activeSince} ACTIVE`)

  const remove = 'mutation ($id: ID!) { deleteService(id: $id) { id } }'
  const close = 'mutation ($id: ID!) { closeDeployment(id: $id) { status } }'
  expect(await refusal(remove, { id: service.id })).toBe('BAD_USER_INPUT')
  expect(await refusal(close, { id: deployment.id }, tokens.bob)).toBe('UNAUTHORIZED')
  expect(await data(close, { id: deployment.id })).toEqual({ closeDeployment: { status: 'REMOVED' } })
  await data(remove, { id: service.id })
  expect(await data(list)).toEqual({ allDeployments: [] })
})

test('an image from a host that cannot exist fails, a policy stops what it limits, a new deployment ends the old', async () => {
  const broken = await openService('registry.invalid/web:1')
  await broken.data(deploy, { id: broken.service.id })
  await broken.pass(6000)
  expect((await broken.data(list)).allDeployments[0]).toMatchObject({
    status: 'FAILED',
    statusMessage: 'The image "registry.invalid/web:1" cannot be pulled',
  })

  const { data, refusal, pass, clock, service } = await openService()
  const policy = { runtimeMinutes: 90 }
  expect(await refusal(deploy, { id: service.id, policy: { maxBudgetUsd: -1 } })).toBe('BAD_USER_INPUT')
  const { deployService: first } = await data(deploy, { id: service.id })
  const { deployService: second } = await data(deploy, { id: service.id, policy })
  const stoppedAt = new Date(clock.now() + 6000 + 90 * 60_000).toISOString()
  await pass(24 * 3_600_000)
  const { allDeployments } = await data(list)
  expect(allDeployments).toHaveLength(2)
  expect(allDeployments).toContainEqual(expect.objectContaining({ id: first.id, status: 'REMOVED' }))
  expect(allDeployments).toContainEqual(
    expect.objectContaining({
      id: second.id,
      status: 'STOPPED',
      policy: { stopReason: 'RUNTIME_EXPIRED', stoppedAt, totalSpentUsd: expect.closeTo(0.0228, 4) },
    }),
  )
})

test('what runs draws on the balance, also when it is gone, and nothing is deployed on an empty one', async () => {
  const { data, refusal, pass, project, service } = await openService()
  const runway =
    '{ orgBillingRunway { balanceCents totalDailyBurnCents runwayHours runwayFormatted } workspaceMetrics { deployments { formatted } compute { totalCpuMillicores } spend { currentMonthCents } } }'
  expect((await data(runway)).orgBillingRunway).toEqual({
    balanceCents: 10_000,
    totalDailyBurnCents: 0,
    runwayHours: null,
    runwayFormatted: 'Nothing is spent',
  })
  const gpu = { name: 'Model', projectId: project.id, templateId: 'text-model' }
  const { createService: model } = await data(createService, { input: gpu })
  const { deployService: running } = await data(deploy, { id: model.id })
  await pass(6000 + 10 * 3_600_000)
  const hourly = 2 * 4 + 16 + 2 + 150
  expect(await data(runway)).toMatchObject({
    orgBillingRunway: {
      balanceCents: 10_000 - 10 * hourly,
      totalDailyBurnCents: 24 * hourly,
      runwayHours: (10_000 - 10 * hourly) / hourly,
      runwayFormatted: '1 day 22 hours',
    },
    workspaceMetrics: {
      deployments: { formatted: '1 of 1' },
      compute: { totalCpuMillicores: 4000 },
      spend: { currentMonthCents: 10 * hourly },
    },
  })
  await data('mutation ($id: ID!) { closeDeployment(id: $id) { id } }', { id: running.id })
  await pass(3_600_000)
  expect((await data(runway)).orgBillingRunway.balanceCents).toBe(10_000 - 10 * hourly)
  await data('mutation ($id: ID!) { deleteProject(id: $id) }', { id: project.id })
  expect((await data(runway)).orgBillingRunway.balanceCents).toBe(10_000 - 10 * hourly)

  const { createProject: again } = await data(createProject, { name: 'Again' })
  const { createService: next } = await data(createService, { input: { ...gpu, projectId: again.id } })
  await data(deploy, { id: next.id })
  await pass(100 * 3_600_000)
  expect((await data(runway)).orgBillingRunway.balanceCents).toBe(0)
  expect(await refusal(deploy, { id: next.id })).toBe('INSUFFICIENT_BALANCE')
  expect(service.slug).toBe('web')
})
