import { createRequire } from 'node:module'

/** The version of this package, found the same way from the sources and from the build. */
export const version: string = createRequire(import.meta.url)('assay/package.json').version
