import { createProject, projectById, projectsInDisguise } from '../../../fixtures/graphql-documents.ts'
import { expectThat } from '../../../harness/finding.ts'
import { eachCase } from '../../each-case.ts'
import type { Asking, Platform } from '../../platform.ts'
import { isKnown } from '../known-field.ts'
import type { Projects } from '../projects-fixtures.ts'
import { expectUnauthenticated } from '../unauthenticated.ts'

type Token = NonNullable<Asking['token']>

/** The list of projects in every form gets the answer that is laid down. */
export async function expectEveryFormRefused(platform: Platform, token: Token): Promise<void> {
  await eachCase(Object.entries(projectsInDisguise), async (request) =>
    expectUnauthenticated(await platform.post(request, { token })),
  )
}

/** A mutation gets the answer that is laid down, and creates nothing. */
export async function expectMutationRefused(
  platform: Platform,
  projects: Projects,
  token: Token,
): Promise<void> {
  await projects.needCreation()
  const name = projects.name('refused')
  const answer = await platform.post(createProject(name), { token })
  for (const reader of ['valid', 'other'] as const) {
    if (!platform.target.tokens?.[reader]) continue
    const made = (await projects.list(reader)).some((project) => project.name === name)
    expectThat(!made, 'no project from a refused mutation', 'the project is listed')
  }
  expectUnauthenticated(answer)
}

/** A field that may be null gets `data: null` as a whole. */
export async function expectNullableRefused(
  platform: Platform,
  token: Token,
  skip: (reason: string) => void,
): Promise<void> {
  if (!(await isKnown(platform, 'query', 'project')))
    skip('the platform API has no project(id), which may be null')
  expectUnauthenticated(await platform.post(projectById('assay-nobody-has-this'), { token }))
}
