import { createProject, deleteProject, projects as projectList } from '../../fixtures/graphql-documents.ts'
import { createSource } from '../../fixtures/seed.ts'
import type { Answer } from '../../harness/answer.ts'
import { PrerequisiteFailure } from '../../harness/errors.ts'
import { test as base, type Platform, type TokenName } from '../platform.ts'
import { isObject, jsonOf } from './answers.ts'
import { isKnown } from './known-field.ts'
import { needList } from './steps.ts'

export interface Project {
  readonly id: string
  readonly name: string
}

/** The projects of a requirement. What was made under a name of it is deleted when it ends, whoever made it. */
export interface Projects {
  /** A name that no other requirement uses. */
  name(hint?: string): string
  /** Creates a project. Throws `PrerequisiteFailure` where that does not work. */
  create(hint?: string, token?: 'valid' | 'other'): Promise<Project>
  /** A project of the user: made where that is allowed, else one that is listed; `undefined` where there is none. */
  some(token?: 'valid' | 'other'): Promise<Project | undefined>
  /** The same, where a requirement cannot do without: skips it. */
  own(token?: 'valid' | 'other'): Promise<Project>
  /** Skips unless projects can be created. */
  needCreation(): Promise<void>
  /** What the user's list holds. Throws `PrerequisiteFailure` where it is not answered. */
  list(token?: 'valid' | 'other'): Promise<readonly Project[]>
}

/** `test` for requirements that build on projects of the user. */
export const test = base.extend('projects', ({ run, platform, task, skip }, { onCleanup }): Projects => {
  const source = createSource(run.seed).fork(task.name)
  const names: string[] = []
  const mayMutate = Boolean(run.capabilities['allow.mutations']?.offered)
  onCleanup(() => removeNamed(platform, names))

  const name = (hint = 'project') => {
    const made = `${source.name('assay')}-${hint}`
    names.push(made)
    return made
  }
  const create: Projects['create'] = async (hint, token = 'valid') => {
    const answer = await platform.post(createProject(name(hint)), { token })
    return projectFrom('creating a project', answer, 'createProject')
  }
  const canCreate = async () => mayMutate && (await isKnown(platform, 'mutation', 'createProject'))
  const some: Projects['some'] = async (token = 'valid') =>
    (await canCreate()) ? create('own', token) : (await listOf(platform, token))[0]

  return {
    name,
    create,
    some,
    async own(token) {
      return (await some(token)) ?? skip('the user has no project, and none could be created')
    },
    async needCreation() {
      if (!(await canCreate())) skip('the platform API has no createProject that may be used')
    },
    list: (token = 'valid') => listOf(platform, token),
  }
})

/** The project that an answer holds at a field of its data. */
export function projectFrom(step: string, answer: Answer, field: string): Project {
  const body = jsonOf(answer)
  const data = isObject(body) ? body['data'] : undefined
  const project = isObject(data) ? data[field] : undefined
  if (isProject(project)) return project
  throw new PrerequisiteFailure(`${step} was not answered with a project: ${answer.text().slice(0, 200)}`)
}

const isProject = (value: unknown): value is Project & Record<string, unknown> =>
  isObject(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string'

async function listOf(platform: Platform, token: TokenName): Promise<readonly Project[]> {
  return needList(await platform.post(projectList, { token })).filter(isProject)
}

/** Best effort: a requirement never fails over what it leaves behind. */
async function removeNamed(platform: Platform, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  for (const token of ['valid', 'other'] as const) {
    if (!platform.target.tokens?.[token]) continue
    const found = await listOf(platform, token).catch(() => [])
    const left = found.filter((project) => names.includes(project.name))
    await Promise.all(
      left.map(({ id }) => platform.post(deleteProject(id), { token }).catch(() => undefined)),
    )
  }
}
