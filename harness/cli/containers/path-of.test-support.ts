import { execFileSync } from 'node:child_process'

/** Where a program of the PATH really lies. Throws where it is not installed. */
export const pathOf = (program: string) =>
  execFileSync('sh', ['-c', 'readlink -f "$(command -v "$0")"', program], { encoding: 'utf8' }).trim()
