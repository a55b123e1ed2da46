import type { Answer } from '../../harness/answer.ts'
import { expectThat } from '../../harness/finding.ts'
import { entriesIn } from './answers.ts'
import type { Project, Projects } from './projects-fixtures.ts'

/** The users whose tokens a target may have. */
export const users = ['valid', 'other'] as const
export type User = (typeof users)[number]

/** A project that tells the lists of two users apart: each is in one of them alone. */
export interface Marks {
  readonly valid: Project | undefined
  readonly other: Project | undefined
}

/** Makes a project for each user where that is allowed, else finds what is in one list alone. */
export async function marksOf(projects: Projects, skip: (reason: string) => void): Promise<Marks> {
  const own = { valid: await projects.some('valid'), other: await projects.some('other') }
  const [valid, other] = [await projects.list('valid'), await projects.list('other')]
  const inOne = (mark: Project | undefined, mine: readonly Project[], theirs: readonly Project[]) =>
    mark ?? mine.find(({ id }) => !theirs.some((project) => project.id === id))
  const marks = { valid: inOne(own.valid, valid, other), other: inOne(own.other, other, valid) }
  if (!marks.valid && !marks.other) skip('neither user has a project, and none could be created')
  return marks
}

/** The list of a user holds the project of that user, and not that of the other. */
export function expectListOf(user: User, answer: Answer, marks: Marks): void {
  const ids = entriesIn(answer).map(({ id }) => id)
  const [own, foreign] = user === 'valid' ? [marks.valid, marks.other] : [marks.other, marks.valid]
  expectThat(!own || ids.includes(own.id), 'a list with the own project', 'a list without it')
  expectThat(
    !foreign || !ids.includes(foreign.id),
    'a list of the own projects',
    "another user's project in it",
  )
}
