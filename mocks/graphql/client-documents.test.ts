import { expect, test } from 'vitest'
import { openPlatform, post, tokens, url } from './client.contract.ts'

type Send = Awaited<ReturnType<typeof openPlatform>>['send']

/** What the command-line client does with an answer: anything but a 2xx without errors is a failure. */
async function dataOf(response: Response | Promise<Response>) {
  const answered = await response
  const { data, errors } = (await answered.json()) as { data: unknown; errors?: unknown }
  expect([answered.status, errors]).toEqual([200, undefined])
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  return data as any
}

/** Sends as the command-line client does: JSON, the token itself as Bearer, headers for what it has saved. */
const commandLine =
  (send: Send) =>
  (query: string, variables: object, headers: Record<string, string> = {}) =>
    dataOf(
      send(
        post({ query, variables }, tokens.ada, { accept: '*/*', 'x-organization-id': 'org_x', ...headers }),
      ),
    )

/** Sends as the SDK does: multipart, logged in first, the session as Bearer. */
function sdk(send: Send) {
  const multipart = (query: string, variables: object, session?: string) => {
    const body = new FormData()
    body.set('operations', JSON.stringify({ query, variables }))
    body.set('map', '{}')
    const headers = {
      accept: 'application/json',
      'x-client-type': 'sdk',
      ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
    }
    return dataOf(send(new Request(url, { method: 'POST', headers, body })))
  }
  const login = multipart(
    'mutation ($v1:LoginWithPersonalAccessTokenDataInput!){loginWithPersonalAccessToken(data:$v1)}',
    { v1: { personalAccessToken: tokens.ada, projectId: 'prj_saved' } },
  )
  return async (query: string, variables: object = {}) =>
    multipart(query, variables, (await login).loginWithPersonalAccessToken)
}

const createProject =
  'mutation CreateProject($data: CreateProjectDataInput!) { createProject(data: $data) { id name slug } }'
const createService =
  'mutation ($projectId: ID!, $name: String!) { createService(input: { projectId: $projectId, name: $name, dockerImage: "registry.example.org/web:1" }) { id } }'

test('the command-line client works on what the schema offers by itself', async () => {
  const { send, pass } = await openPlatform()
  const cli = commandLine(send)
  const { createProject: project } = await cli(createProject, { data: { name: 'Shop' } })
  expect(project).toEqual({ id: expect.any(String), name: 'Shop', slug: 'shop' })
  const { projects } = await cli('query Projects { projects { data { id name slug } } }', {})
  expect(projects.data).toEqual([project])
  const update =
    'mutation UpdateProject($id: ID!, $data: UpdateProjectDataInput!) { updateProject(id: $id, data: $data) { id name slug } }'
  const { updateProject } = await cli(update, { id: project.id, data: { name: 'Store' } })
  expect(updateProject.name).toBe('Store')

  const list =
    'query ListTemplates($category: TemplateCategory) { templates(category: $category) { id name description category tags dockerImage serviceType resources { cpu memory storage } ports { port as global } envVars { key default description required } } }'
  expect((await cli(list, { category: 'WEB_SERVER' })).templates).toHaveLength(1)
  const one =
    'query GetTemplate($id: ID!) { template(id: $id) { id name description category tags dockerImage serviceType resources { cpu memory storage gpu { units vendor model } } ports { port as global } envVars { key default description required } persistentStorage { name mountPath size } } }'
  expect((await cli(one, { id: 'text-model' })).template.resources.gpu.units).toBe(1)

  const composite =
    'mutation DeployCompositeTemplate($input: DeployCompositeTemplateInput!) { deployCompositeTemplate(input: $input) { primaryServiceId } }'
  const input = { templateId: 'shop', projectId: project.id, mode: 'fullstack' }
  const { primaryServiceId: front } = (await cli(composite, { input })).deployCompositeTemplate
  await pass(6000)
  const deployments =
    'query AllDeployments($projectId: ID, $limit: Int) { allDeployments(projectId: $projectId, limit: $limit) { id shortId status kind serviceName serviceSlug serviceType projectId projectName source image statusMessage createdAt updatedAt } }'
  const { allDeployments } = await cli(deployments, { projectId: project.id, limit: 20 })
  expect(allDeployments).toHaveLength(2)
  expect(allDeployments[0]).toMatchObject({ status: 'ACTIVE', kind: 'MOCK', projectName: 'Store' })
  const logs =
    'query ServiceLogs($serviceId: ID!, $tail: Int) { serviceLogs(serviceId: $serviceId, tail: $tail) { logs provider deploymentId } }'
  expect((await cli(logs, { serviceId: front, tail: 100 })).serviceLogs.logs).toContain('ACTIVE')

  const { createService: service } = await cli(createService, { projectId: project.id, name: 'Extra' })
  const setVariable =
    'mutation SetServiceEnvVar($serviceId: ID!, $key: String!, $value: String!) { setServiceEnvVar(serviceId: $serviceId, key: $key, value: $value) { id key value } }'
  const variable = { serviceId: service.id, key: 'MODE', value: 'fast' }
  expect((await cli(setVariable, variable)).setServiceEnvVar).toMatchObject({ key: 'MODE', value: 'fast' })
  const unset =
    'mutation DeleteServiceEnvVar($serviceId: ID!, $key: String!) { deleteServiceEnvVar(serviceId: $serviceId, key: $key) }'
  expect(await cli(unset, { serviceId: service.id, key: 'MODE' })).toEqual({ deleteServiceEnvVar: true })
  const ends = { sourceServiceId: front, targetServiceId: service.id }
  const link =
    'mutation LinkServices($sourceServiceId: ID!, $targetServiceId: ID!) { linkServices(sourceServiceId: $sourceServiceId, targetServiceId: $targetServiceId) { id } }'
  expect((await cli(link, ends)).linkServices.id).toEqual(expect.any(String))
  const unlink =
    'mutation UnlinkServices($sourceServiceId: ID!, $targetServiceId: ID!) { unlinkServices(sourceServiceId: $sourceServiceId, targetServiceId: $targetServiceId) }'
  expect(await cli(unlink, ends)).toEqual({ unlinkServices: true })
  const removeService = 'mutation DeleteService($id: ID!) { deleteService(id: $id) { id name } }'
  expect(await cli(removeService, { id: service.id })).toEqual({
    deleteService: { id: service.id, name: 'Extra' },
  })
  const removeProject = 'mutation DeleteProject($id: ID!) { deleteProject(id: $id) }'
  expect(await cli(removeProject, { id: project.id })).toEqual({ deleteProject: true })
})

test('with compat, the command-line client deploys to single providers and follows what it deployed', async () => {
  const { send, pass } = await openPlatform({ extensions: ['compat'] })
  const cli = commandLine(send)
  const { createProject: project } = await cli(createProject, { data: { name: 'Shop' } })
  const saved = { 'x-project-id': project.id }
  const registry =
    'query ServiceRegistry($projectId: ID) { serviceRegistry(projectId: $projectId) { id type name slug templateId dockerImage containerPort activeAkashDeployment { id status } activePhalaDeployment { id status } envVars { id key value } ports { id containerPort publicPort protocol } linksFrom { id targetServiceId } linksTo { id sourceServiceId } } }'
  const services = async () => (await cli(registry, {}, saved)).serviceRegistry
  expect(await services()).toEqual([])

  const input = {
    templateId: 'text-model',
    projectId: project.id,
    envOverrides: [{ key: 'MODEL', value: 'small' }],
  }
  const deploy =
    'mutation DeployFromTemplate($input: DeployFromTemplateInput!) { deployFromTemplate(input: $input) { id status serviceId } }'
  const { deployFromTemplate: deployment } = await cli(deploy, { input })
  const { id } = deployment
  expect(deployment).toEqual({ id, status: 'CREATING', serviceId: expect.any(String) })
  const poll =
    'query GetAkashDeployment($id: ID!) { akashDeployment(id: $id) { id status dseq provider serviceId serviceUrls errorMessage retryCount } }'
  const seen: string[] = []
  for (let second = 0; second <= 6; second++) {
    seen.push((await cli(poll, { id })).akashDeployment.status)
    await pass(1000)
  }
  expect(seen).toEqual([
    'CREATING',
    'WAITING_BIDS',
    'SELECTING_BID',
    'CREATING_LEASE',
    'SENDING_MANIFEST',
    'DEPLOYING',
    'ACTIVE',
  ])
  const { akashDeployment } = await cli(poll, { id })
  expect(Object.values(akashDeployment.serviceUrls).flat()).toEqual([expect.stringMatching(/^https:/)])
  expect((await services())[0]).toMatchObject({
    activeAkashDeployment: { id, status: 'ACTIVE' },
    activePhalaDeployment: null,
  })
  const close = 'mutation CloseAkashDeployment($id: ID!) { closeAkashDeployment(id: $id) { id status } }'
  expect(await cli(close, { id })).toEqual({ closeAkashDeployment: { id, status: 'CLOSED' } })
  expect((await services())[0].activeAkashDeployment).toBeNull()

  const again =
    'mutation DeployToAkash($input: DeployToAkashInput!) { deployToAkash(input: $input) { id status dseq owner serviceId region resolvedRegion } }'
  const target = { serviceId: deployment.serviceId, region: 'eu-central' }
  expect((await cli(again, { input: target })).deployToAkash).toMatchObject({
    status: 'CREATING',
    region: 'eu-central',
  })

  const confidential =
    'mutation DeployFromTemplateToPhala($input: DeployFromTemplateInput!) { deployFromTemplateToPhala(input: $input) { id status serviceId } }'
  const { deployFromTemplateToPhala: phala } = await cli(confidential, { input })
  expect(phala.status).toBe('CREATING')
  await pass(6000)
  const stop = 'mutation StopPhalaDeployment($id: ID!) { stopPhalaDeployment(id: $id) { id status } }'
  expect((await cli(stop, { id: phala.id })).stopPhalaDeployment.status).toBe('STOPPED')
  const remove = 'mutation DeletePhalaDeployment($id: ID!) { deletePhalaDeployment(id: $id) { id status } }'
  expect((await cli(remove, { id: phala.id })).deletePhalaDeployment.status).toBe('DELETED')

  const regions =
    'query Regions($provider: ComputeProviderType, $gpuModelHint: String) { regions(provider: $provider, gpuModelHint: $gpuModelHint) { id label available verifiedCount onlineCount recentBidCount confidence medianPrices { cpu1Core h100 h200 rtx4090 a100 } } }'
  const offered = await cli(regions, { provider: 'AKASH', gpuModelHint: 'h100' })
  expect(offered.regions.filter(({ available }: { available: boolean }) => available)).toHaveLength(1)
  expect((await cli(regions, { provider: 'PHALA' })).regions[0].id).toBe('phala-single-region')
})

test('the SDK logs in first, and then works on what the schema offers by itself', async () => {
  const { send } = await openPlatform()
  const ask = sdk(send)
  expect(await ask('query GetVersion{version{commitHash,__typename}}')).toEqual({
    version: { commitHash: expect.stringMatching(/^[0-9a-f]{40}$/), __typename: 'Version' },
  })
  const { createProject: project } = await ask(
    'mutation CreateProject($v1:CreateProjectDataInput!){createProject(data:$v1){id,name,avatar,backupStorageOnArweave,backupStorageOnFilecoin,createdAt}}',
    { v1: { name: 'Shop' } },
  )
  expect(project).toMatchObject({ name: 'Shop', avatar: null, backupStorageOnArweave: false })
  const { projects } = await ask(
    'query GetProjects{projects{data{...f1}}},fragment f1 on Project{id,name,avatar,backupStorageOnArweave,backupStorageOnFilecoin,createdAt}',
  )
  expect(projects.data).toEqual([project])
  const { personalAccessTokens } = await ask(
    'query GetPersonalAccessTokens{personalAccessTokens{data{id,createdAt,name,maskedToken}}}',
  )
  expect(personalAccessTokens.data).toHaveLength(2)
})

test('with legacy, the SDK names what it means in the older form', async () => {
  const { send, data } = await openPlatform({ extensions: ['legacy'] })
  const ask = sdk(send)
  const { createProject: project } = await data(createProject, { data: { name: 'Shop' } })
  const where = { id: project.id }
  const fields = '{id,name,avatar,backupStorageOnArweave,backupStorageOnFilecoin,createdAt}'
  const { updateProject } = await ask(
    `mutation ($v1:ProjectWhereInput,$v2:UpdateProjectDataInput!){updateProject(where:$v1,data:$v2)${fields}}`,
    { v1: where, v2: { name: 'Store', backupStorageOnArweave: true } },
  )
  expect(updateProject).toMatchObject({ name: 'Store', backupStorageOnArweave: true })
  const get = `query GetProject($v1:ProjectWhereInput){project(where:$v1)${fields}}`
  expect(await ask(get, { v1: where })).toEqual({ project: updateProject })
  const { createPersonalAccessToken: token } = await data(
    'mutation { createPersonalAccessToken(name: "old") { id } }',
  )
  const remove =
    'mutation DeletePersonalAccessToken($v1:PersonalAccessTokenWhereInput){deletePersonalAccessToken(where:$v1)}'
  expect(await ask(remove, { v1: { id: token.id } })).toEqual({ deletePersonalAccessToken: true })
})

test('with legacy, the SDK subscribes, is billed, and pays', async () => {
  const { send, refusal } = await openPlatform({ extensions: ['legacy'] })
  const ask = sdk(send)
  const { customer } = await ask(
    'query GetCustomer{customer{id,email,name,stripeCustomerId,createdAt,updatedAt}}',
  )
  expect(customer.name).toBe('ada')

  const add =
    'mutation AddPaymentMethod($v1:AddPaymentMethodInput!){addPaymentMethod(input:$v1){id,type,cardBrand,cardLast4,walletAddress,blockchain,isDefault}}'
  const { addPaymentMethod: card } = await ask(add, { v1: { stripePaymentMethodId: 'pm_card' } })
  const { addPaymentMethod: wallet } = await ask(add, {
    v1: { walletAddress: '0xabc', blockchain: 'ethereum' },
  })
  expect([card, wallet]).toMatchObject([
    { type: 'CARD', isDefault: true },
    { type: 'CRYPTO_WALLET', isDefault: false },
  ])
  const prefer = 'mutation SetDefaultPaymentMethod($v1:ID!){setDefaultPaymentMethod(id:$v1){id,isDefault}}'
  expect((await ask(prefer, { v1: wallet.id })).setDefaultPaymentMethod).toEqual({
    id: wallet.id,
    isDefault: true,
  })
  const methods =
    'query ListPaymentMethods{paymentMethods{id,type,cardBrand,cardLast4,cardExpMonth,cardExpYear,walletAddress,blockchain,isDefault,createdAt}}'
  expect((await ask(methods)).paymentMethods).toMatchObject([{ isDefault: false }, { isDefault: true }])
  const drop = 'mutation RemovePaymentMethod($v1:ID!){removePaymentMethod(id:$v1)}'
  expect(await ask(drop, { v1: card.id })).toEqual({ removePaymentMethod: true })

  const subscriptionFields =
    '{id,status,plan,basePricePerSeat,usageMarkup,seats,currentPeriodStart,currentPeriodEnd,cancelAt,createdAt,updatedAt}'
  const subscribe =
    'mutation CreateSubscription($v1:CreateSubscriptionInput!){createSubscription(input:$v1){id,status,plan,seats,basePricePerSeat,usageMarkup,currentPeriodStart,currentPeriodEnd}}'
  const { createSubscription: subscription } = await ask(subscribe, { v1: { plan: 'PRO', seats: 2 } })
  expect(subscription).toMatchObject({
    status: 'ACTIVE',
    seats: 2,
    currentPeriodEnd: '2030-02-01T00:00:00.000Z',
  })
  const seats =
    'mutation UpdateSubscriptionSeats($v1:ID!,$v2:Int!){updateSubscriptionSeats(id:$v1,seats:$v2){id,seats}}'
  expect((await ask(seats, { v1: subscription.id, v2: 3 })).updateSubscriptionSeats.seats).toBe(3)
  const { activeSubscription } = await ask(
    `query GetActiveSubscription{activeSubscription${subscriptionFields}}`,
  )
  expect(activeSubscription.id).toBe(subscription.id)

  const { generateInvoice: bill } = await ask(
    'mutation GenerateInvoice($v1:ID!){generateInvoice(subscriptionId:$v1){id,invoiceNumber,status,total,dueDate}}',
    { v1: subscription.id },
  )
  expect(bill).toMatchObject({ invoiceNumber: 'INV-0001', status: 'OPEN', total: 7500 })
  const processPayment =
    'mutation ProcessPayment($v1:Int!,$v2:String,$v3:ID){processPayment(amount:$v1,currency:$v2,invoiceId:$v3){id,amount,currency,status,createdAt}}'
  expect(await refusal(processPayment, { v1: 7501, v2: 'usd', v3: bill.id })).toBe('BAD_USER_INPUT')
  const { processPayment: payment } = await ask(processPayment, { v1: 7000, v2: 'usd', v3: bill.id })
  expect(payment).toMatchObject({ amount: 7000, status: 'SUCCEEDED' })
  const { recordCryptoPayment: crypto } = await ask(
    'mutation RecordCryptoPayment($v1:RecordCryptoPaymentInput!){recordCryptoPayment(input:$v1){id,amount,currency,status,txHash,blockchain,createdAt}}',
    { v1: { txHash: '0x1', blockchain: 'ethereum', amount: 500, invoiceId: bill.id } },
  )
  expect(crypto).toMatchObject({ txHash: '0x1', blockchain: 'ethereum' })
  const invoiceFields =
    'id,invoiceNumber,status,subtotal,tax,total,amountPaid,amountDue,currency,periodStart,periodEnd,dueDate,paidAt,pdfUrl,createdAt'
  const { invoice } = await ask(
    `query GetInvoice($v1:ID!){invoice(id:$v1){${invoiceFields},lineItems{id,description,quantity,unitPrice,amount}}}`,
    { v1: bill.id },
  )
  expect(invoice).toMatchObject({
    status: 'PAID',
    amountDue: 0,
    lineItems: [{ quantity: 3, unitPrice: 2500 }],
  })
  const invoices = `query ListInvoices($v1:InvoiceStatus,$v2:Int){invoices(status:$v1,limit:$v2){${invoiceFields}}}`
  expect((await ask(invoices, { v1: 'PAID', v2: 50 })).invoices).toHaveLength(1)
  expect((await ask(invoices, { v1: 'OPEN', v2: 50 })).invoices).toEqual([])

  const cancel =
    'mutation CancelSubscription($v1:ID!,$v2:Boolean){cancelSubscription(id:$v1,immediately:$v2){id,status,cancelAt}}'
  expect(await refusal(cancel, { v1: subscription.id, v2: true }, tokens.bob)).toBe('NOT_FOUND')
  expect((await ask(cancel, { v1: subscription.id, v2: true })).cancelSubscription.status).toBe('CANCELED')
  expect(
    (await ask(`query ListSubscriptions{subscriptions${subscriptionFields}}`)).subscriptions,
  ).toHaveLength(1)
  const usage =
    'query GetCurrentUsage{currentUsage{storage{quantity,amount},bandwidth{quantity,amount},compute{quantity,amount},requests{quantity,amount},total}}'
  expect((await ask(usage)).currentUsage.total).toBe(0)
})
