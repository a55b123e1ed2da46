import { kuboRpc, theService, trustlessGateway } from '../specifications.ts'

/** The passages that requirements on the storage node cite. */
export const api = theService('Storage API', '#storage-api')
export const deployment = theService('Deployment', '#deployment')
export const gatewayOfService = theService('Gateway', '#gateway')

/** A command of Kubo, such as `pin/add`. */
export const command = (name: string) => kuboRpc(`/api/v0/${name}`, `#api-v0-${name.replaceAll('/', '-')}`)

export const rawBlocks = trustlessGateway(
  'Block Responses (application/vnd.ipld.raw)',
  '#block-responses-application-vnd-ipld-raw',
)
export const cars = trustlessGateway(
  'CAR Responses (application/vnd.ipld.car)',
  '#car-responses-application-vnd-ipld-car',
)
