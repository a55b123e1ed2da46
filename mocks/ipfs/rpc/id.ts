/** `id`: who this node is. Clients ask it whether the node is there. */
import { IpfsError } from '../errors.ts'
import { agent } from '../version.ts'
import { type Command, value } from './call.ts'

export const id: Command = {
  path: 'id',
  readable: true,
  args: [{ name: 'peerid', kind: 'text', required: false, variadic: false }],
  options: { format: 'string', 'peerid-base': 'string' },
  run({ node: { identity }, args: [peer] }) {
    if (peer !== undefined && peer !== identity.id) throw new IpfsError('ERR_INPUT', 'invalid peer id')
    return value({
      ID: identity.id,
      PublicKey: identity.publicKey,
      Addresses: [`/ip4/127.0.0.1/tcp/4001/p2p/${identity.id}`],
      AgentVersion: agent,
      Protocols: ['/ipfs/bitswap/1.2.0', '/ipfs/id/1.0.0', '/ipfs/ping/1.0.0'],
    })
  },
}
