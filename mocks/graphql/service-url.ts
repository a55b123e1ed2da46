import type { Deployment } from './deployment.ts'
import type { Service } from './state.ts'

/** Where a deployed service would be reached; a name that leads nowhere, as nothing runs here. */
export const serviceUrl = ({ slug }: Service, { id }: Deployment): string =>
  `https://${slug}-${id.slice(-8)}.services.example.org`
