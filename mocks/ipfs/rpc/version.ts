import { version as release, repoVersion } from '../version.ts'
import { type Command, value } from './call.ts'

export const version: Command = {
  path: 'version',
  options: { number: 'bool', commit: 'bool', repo: 'bool', all: 'bool' },
  run: () =>
    value({ Version: release, Commit: '', Repo: repoVersion, System: 'amd64/linux', Golang: 'go1.26.8' }),
}
