import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathOf } from './path-of.test-support.ts'
import { buildScratchImage, librariesOf } from './scratch-image.test-support.ts'

/** Node, npm and a shell, and no entry point. */
export const baseImage = 'assay-test-base'

/** What `node:20-slim` is for the `Dockerfile`: Node, npm, a shell and a user `node`. */
export async function buildBase(): Promise<void> {
  const npm = dirname(dirname(pathOf('npm')))
  const busybox = pathOf('busybox')
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  await buildScratchImage({
    tag: baseImage,
    programs: [process.execPath, busybox],
    copies: {
      '/usr/lib/node_modules/npm': npm,
      // Loaded only once they are needed: name resolution, and clocks for native modules.
      ...Object.fromEntries(lateLibraries().map((path) => [path, path])),
      // Those of this machine, as a proxy between it and the package registry may have its own.
      ...(existsSync(certificates) && { [certificates]: certificates }),
    },
    scripts: {
      '/etc/passwd':
        'root:x:0:0::/root:/bin/sh\npostgres:x:70:70::/var/lib/postgresql:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
      '/etc/group': 'root:x:0:\npostgres:x:70:\nnode:x:1000:\n',
    },
    instructions: [
      `RUN ["${busybox}", "mkdir", "-p", "/bin", "/usr/bin", "/usr/local/bin", "/home/node", "/root", "/tmp"]`,
      `RUN ["${busybox}", "--install", "-s", "/bin"]`,
      `RUN chmod 1777 /tmp && chown node:node /home/node && ln -s ${busybox} /usr/bin/env`,
      'RUN ln -s /usr/lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
      `RUN [ -e /usr/local/bin/node ] || ln -s ${process.execPath} /usr/local/bin/node`,
      `ENV PATH=/usr/local/bin:/usr/bin:/bin NODE_EXTRA_CA_CERTS=${certificates}`,
    ],
  })
}

const lateLibraries = () => {
  const libc = librariesOf(process.execPath).find((path) => path.includes('/libc.so')) ?? ''
  const names = [
    'librt.so.1',
    'libdl.so.2',
    'libpthread.so.0',
    'libresolv.so.2',
    'libnss_dns.so.2',
    'libnss_files.so.2',
  ]
  return names.map((name) => join(dirname(libc), name)).filter((path) => existsSync(path))
}
