import { isIntrospectionType, isObjectType, isSpecifiedScalarType, printSchema } from 'graphql'
import { expect, test } from 'vitest'
import { openPlatform } from './client.contract.ts'
import { platformSchema } from './schema.ts'

const all = platformSchema(['compat', 'legacy'])
const own = Object.values(all.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
)

test('every type and every operation says whether the specification or an extension asks for it', () => {
  const operations = own
    .filter(isObjectType)
    .filter(({ name }) => name === 'Query' || name === 'Mutation')
    .flatMap((type) => Object.values(type.getFields()))
  const unlabelled = [...own, ...operations].filter(
    ({ description }) => !/^(?:Core|Extension(?: \((?:compat|legacy)\))?): /.test(description ?? ''),
  )
  expect(unlabelled.map(({ name }) => name)).toEqual([])
})

test('the resources of the specification are core, and no provider is in the schema unless it is asked for', () => {
  const core = own.filter(({ description }) => description?.startsWith('Core: ')).map(({ name }) => name)
  expect(core).toEqual(
    expect.arrayContaining([
      'Project',
      'Service',
      'UnifiedDeployment',
      'Template',
      'OrgBillingRunway',
      'ServiceEnvVar',
      'PersonalAccessToken',
    ]),
  )
  const plain = printSchema(platformSchema())
  expect(plain).not.toMatch(/akash|phala|spheron|stripe|\(compat\)|\(legacy\)/i)
  expect(printSchema(platformSchema(['compat']))).toMatch(/type AkashDeployment /)
})

test('an extension that is not switched on is as unknown as any other name', async () => {
  const { ask } = await openPlatform()
  for (const query of [
    '{ regions { id } }',
    '{ customer { id } }',
    '{ project(where: { id: "x" }) { id } }',
  ]) {
    expect(await ask(query)).toMatchObject({
      data: null,
      errors: expect.arrayContaining([
        expect.objectContaining({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }),
      ]),
    })
  }
})
