import { lookup } from 'node:dns/promises'
import { BlockList, connect, isIPv6 } from 'node:net'

/** Addresses that are not of the public network: RFC 6890 and its successors. */
const special = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
] as const) {
  special.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  special.addSubnet(network, prefix, 'ipv6')
}

/** Whether all that a host name stands for, or an IP address, is of the public network. */
export async function isPublic(host: string): Promise<boolean> {
  const bare = host.replace(/^\[|\]$/g, '')
  const addresses = await lookup(bare, { all: true }).catch(() => [])
  return (
    addresses.length > 0 &&
    addresses.every(({ address }) => !special.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))
  )
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-SSLREQUEST */
const sslRequest = Uint8Array.of(0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f)

/** Whether PostgreSQL answers there: its greeting is answered by one letter, before anybody logs in. */
export function hasPostgres(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port, timeout: timeoutMs })
    const end = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.on('connect', () => socket.write(sslRequest))
    socket.on('data', (data) => end(/^[SNE]/.test(data.toString('latin1'))))
    socket.on('timeout', () => end(false))
    socket.on('error', () => end(false))
    socket.on('close', () => end(false))
  })
}
