/** The release whose behaviour this node shows. */
export const version = '0.42.0'
export const repoVersion = '18'
export const agent = `kubo/${version}`
