import { repoVersion } from '../version.ts'
import { type Command, value } from './call.ts'

export const repoStat: Command = {
  path: 'repo/stat',
  readable: true,
  options: { 'size-only': 'bool', human: 'bool' },
  aliases: { s: 'size-only', H: 'human' },
  run({ node: { repo, limits }, options }) {
    const sizeOnly = options.flag('size-only', false)
    return value({
      RepoSize: repo.usage,
      StorageMax: limits.storageMax,
      NumObjects: sizeOnly ? 0 : repo.count,
      RepoPath: sizeOnly ? '' : '/data/ipfs',
      Version: sizeOnly ? '' : `fs-repo@${repoVersion}`,
    })
  },
}

/** The same under its older name. */
export const statsRepo: Command = { ...repoStat, path: 'stats/repo' }
