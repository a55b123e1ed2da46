import { add } from './add.ts'
import { blockGet } from './block-get.ts'
import { blockPut } from './block-put.ts'
import { blockRm } from './block-rm.ts'
import { blockStat } from './block-stat.ts'
import type { Command } from './call.ts'
import { cat } from './cat.ts'
import { config, configShow } from './config.ts'
import { dagExport } from './dag-export.ts'
import { dagImport } from './dag-import.ts'
import { dagStat } from './dag-stat.ts'
import { filesStat } from './files-stat.ts'
import { get } from './get.ts'
import { id } from './id.ts'
import { ls } from './ls.ts'
import { pinAdd } from './pin-add.ts'
import { pinLs } from './pin-ls.ts'
import { pinRm } from './pin-rm.ts'
import { pinUpdate } from './pin-update.ts'
import { pinVerify } from './pin-verify.ts'
import { refs } from './refs.ts'
import { refsLocal } from './refs-local.ts'
import { repoGc } from './repo-gc.ts'
import { repoStat, statsRepo } from './repo-stat.ts'
import { repoVersion } from './repo-version.ts'
import { dagResolve, resolve } from './resolve.ts'
import { version } from './version.ts'

/** Every command that the node knows. */
export const commands: readonly Command[] = [
  add,
  blockGet,
  blockPut,
  blockRm,
  blockStat,
  cat,
  config,
  configShow,
  dagExport,
  dagImport,
  dagResolve,
  dagStat,
  filesStat,
  get,
  id,
  ls,
  pinAdd,
  pinLs,
  pinRm,
  pinUpdate,
  pinVerify,
  refs,
  refsLocal,
  repoGc,
  repoStat,
  repoVersion,
  resolve,
  statsRepo,
  version,
]
