import type { Context } from '../context.ts'
import { ownService } from '../ownership.ts'

function serviceBuildJobs(_: unknown, { serviceId }: { serviceId: string }, context: Context) {
  ownService(serviceId, context)
  return []
}

/** No operation of the schema starts a build. */
export const buildResolvers = {
  Query: { buildJob: () => null, serviceBuildJobs },
  Service: { buildJobs: () => [] },
}
