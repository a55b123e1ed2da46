import type { Clock } from '../clock.ts'
import type { Context } from './context.ts'
import { checkVariable, setVariable } from './environment-variable.ts'
import { launch } from './launch.ts'
import { projectResolvers } from './resolvers/project.ts'
import { serviceResolvers } from './resolvers/service.ts'
import type { PlatformState } from './state.ts'

/** What exists when the platform starts, and again after a reset. */
export interface PlatformSeed {
  readonly projects: readonly SeedProject[]
}

interface SeedProject {
  /** Whose it is: the `user` of a token. */
  readonly user: string
  readonly name: string
  readonly services?: readonly SeedService[]
}

interface SeedService {
  readonly name: string
  readonly type?: 'VM' | 'DATABASE' | 'CRON' | 'BUCKET'
  readonly templateId?: string
  readonly dockerImage?: string
  readonly containerPort?: number
  readonly variables?: readonly { readonly key: string; readonly value: string; readonly secret?: boolean }[]
  /** Whether it is ACTIVE from the start. */
  readonly deployed?: boolean
}

/** A seed that cannot be planted; the message names the place in it. */
export class PlatformSeedError extends Error {
  readonly code = 'ERR_PLATFORM_SEED'
  override readonly name = 'PlatformSeedError'
}

/** How long before the start the seed is planted: long enough for a deployment to be ACTIVE by then. */
const leadMs = 60_000

function plantService(seed: SeedService, projectId: string, context: Context): void {
  const { variables = [], deployed = false, ...input } = seed
  const service = serviceResolvers.Mutation.createService(
    undefined,
    { input: { ...input, projectId } },
    context,
  )
  for (const variable of variables) {
    checkVariable(variable)
    setVariable(context, service, variable)
  }
  if (deployed) launch(context, service, { provider: 'mock' })
}

function plantProject({ name, services = [] }: SeedProject, context: Context): void {
  const project = projectResolvers.Mutation.createProject(undefined, { data: { name } }, context)
  for (const service of services) plantService(service, project.id, context)
}

/** Puts a seed into a state, by the same rules as the API's. Throws `PlatformSeedError`. */
export function plant({ projects }: PlatformSeed, state: PlatformState, clock: Clock): void {
  const plantedAt = clock.now() - leadMs
  for (const [index, project] of projects.entries()) {
    const viewer = () => project.user
    try {
      plantProject(project, {
        state,
        clock: { ...clock, now: () => plantedAt },
        projectHeader: undefined,
        viewer,
      })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new PlatformSeedError(`The project /projects/${index} of the seed: ${reason}`)
    }
  }
}
