import { costCents } from './balance.ts'
import type { PlatformState, Project, Service } from './state.ts'

/** Takes a service away with all that hangs on it; what it has cost stays charged. */
export function removeService(state: PlatformState, { id, projectId }: Service, now: number): void {
  for (const { id: row } of state.envVars.of(id)) state.envVars.delete(row)
  for (const { id: row } of state.ports.of(id)) state.ports.delete(row)
  for (const deployment of state.deployments.of(id)) {
    const cents = costCents(deployment, 0, now)
    if (cents > 0) state.charges.put({ id: deployment.id, user: deployment.user, cents, at: now })
    state.deployments.delete(deployment.id)
  }
  for (const link of state.links.of(projectId)) {
    if (link.sourceServiceId === id || link.targetServiceId === id) state.links.delete(link.id)
  }
  state.services.delete(id)
}

/** Takes a project away, with its services. */
export function removeProject(state: PlatformState, { id }: Project, now: number): void {
  for (const service of state.services.of(id)) removeService(state, service, now)
  state.projects.delete(id)
}
