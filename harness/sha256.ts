import { createHash } from 'node:crypto'

/** The digest of these bytes, as `sha256:<hex>`. */
export const sha256 = (bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`
