import { add } from './add.ts'
import type { Command } from './call.ts'
import { cat } from './cat.ts'
import { id } from './id.ts'
import { pinAdd } from './pin-add.ts'
import { pinLs } from './pin-ls.ts'
import { pinRm } from './pin-rm.ts'
import { repoGc } from './repo-gc.ts'
import { repoStat, statsRepo } from './repo-stat.ts'
import { repoVersion } from './repo-version.ts'
import { version } from './version.ts'

/** Every command that the node knows. */
export const commands: readonly Command[] = [
  add,
  cat,
  id,
  pinAdd,
  pinLs,
  pinRm,
  repoGc,
  repoStat,
  repoVersion,
  statsRepo,
  version,
]
