import { IpfsError } from '../errors.ts'

/** Bytes of a block that other nodes accept. https://specs.ipfs.tech/bitswap-protocol/#block-sizes */
export const blockLimit = 2 * 1024 * 1024

export const bigBlock = (): IpfsError =>
  new IpfsError(
    'ERR_INPUT',
    "produced block is over 2MiB: big blocks can't be exchanged with other peers. consider using UnixFS for automatic chunking of bigger files, or pass --allow-big-block to override",
  )
