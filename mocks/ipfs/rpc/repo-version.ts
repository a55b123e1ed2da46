import { repoVersion as version } from '../version.ts'
import { type Command, value } from './call.ts'

export const repoVersion: Command = {
  path: 'repo/version',
  options: { quiet: 'bool' },
  run: () => value({ Version: version }),
}
