import { join } from 'node:path'

/** Where podman and buildah keep images, apart from those of this machine, and without a file system of their own. */
export const ownStorage = (folder: string) => [
  '--root',
  join(folder, 'root'),
  '--runroot',
  join(folder, 'run'),
  '--storage-driver',
  'vfs',
]
