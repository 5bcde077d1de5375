import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fetchJava } from '../stack/fetch/java'
import { fetchKafka } from '../stack/fetch/kafka'
import { fetchRedis } from '../stack/fetch/redis'
import { mustRun } from '../stack/fetch/run'
import { fetchS3 } from '../stack/fetch/s3'
import { postgresHome } from '../stack/servers/postgres'
import { buildSubstituteBases, kitDir, substituteDir } from './bases'

type Backend = { reference: string; files: Record<string, string>; scripts?: Record<string, string>; entrypoint?: string; env?: string[] }

/**
 * Builds the images of k8s/single-node from the local stack's packages, for clusters without an image registry:
 * same names, paths and commands as the published ones.
 */
export async function makeBackendImages(): Promise<string[]> {
  await buildSubstituteBases()
  const archives: string[] = [join(substituteDir, 'bun-1.4.5-distroless.tar')]
  for (const backend of await backends()) archives.push(await makeImage(backend))
  return archives
}

async function backends(): Promise<Backend[]> {
  const java = dirname(dirname(await fetchJava()))
  const run = '#!/bin/sh\nexec java $KAFKA_HEAP_OPTS -cp "/opt/kafka/libs/*"'
  return [
    {
      reference: 'apache/kafka:4.3.1',
      files: { [java]: '/opt/java', [await fetchKafka()]: '/opt/kafka/libs' },
      scripts: {
        '/opt/kafka/bin/kafka-storage.sh': `${run} kafka.tools.StorageTool "$@"\n`,
        '/opt/kafka/bin/kafka-server-start.sh': `${run} kafka.Kafka "$@"\n`,
      },
      env: ['PATH=/opt/java/bin:/usr/local/bin:/usr/bin:/bin'],
    },
    {
      reference: 'postgres:18.4',
      files: { [postgresHome()]: '/usr/lib/postgresql/18' },
      scripts: {
        '/usr/local/bin/docker-entrypoint.sh': postgresEntrypoint,
        '/etc/passwd': 'root:x:0:0::/root:/bin/sh\npostgres:x:999:999::/var/lib/postgresql:/bin/sh\n',
      },
      entrypoint: '/usr/local/bin/docker-entrypoint.sh',
      env: ['PATH=/usr/lib/postgresql/18/bin:/usr/local/bin:/usr/bin:/bin'],
    },
    { reference: 'valkey/valkey:9.1', files: { [await fetchRedis()]: '/usr/local/bin/valkey-server' } },
    {
      reference: 'andrewgaul/s3proxy:4.1.0',
      files: { [java]: '/opt/java', [await fetchS3()]: '/opt/s3proxy/s3proxy' },
      env: ['PATH=/opt/java/bin:/usr/local/bin:/usr/bin:/bin'],
    },
  ]
}

/** The part of the published entrypoint that the first start needs. */
const postgresEntrypoint = `#!/bin/sh
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  umask 077; mkdir -p "$PGDATA"; printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb -D "$PGDATA" -U postgres --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust -E UTF8 --locale=C.UTF-8
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
exec "$@"
`

async function makeImage({ reference, files, scripts = {}, entrypoint, env = [] }: Backend): Promise<string> {
  const archive = join(substituteDir, `backend-${reference.replaceAll(/[/:]/g, '-')}.tar`)
  const self = statSync(import.meta.path).mtimeMs
  if (existsSync(archive) && statSync(archive).mtimeMs > self) return archive
  const written = join(substituteDir, 'scripts', reference.replaceAll(/[/:]/g, '-'))
  mkdirSync(written, { recursive: true })
  const sources = Object.entries(files).map(([source, target]) => `${source}:${target}`)
  for (const [target, text] of Object.entries(scripts)) {
    const source = join(written, target.replaceAll('/', '_'))
    writeFileSync(source, text)
    chmodSync(source, 0o755)
    sources.push(`${source}:${target}`)
  }
  await mustRun(`Making an image for ${reference}`, [
    join(kitDir, 'mkimage.py'),
    reference,
    archive,
    '--base-tar',
    join(substituteDir, 'slim.tar'),
    ...(entrypoint ? ['--entrypoint', entrypoint] : []),
    ...env.flatMap(pair => ['--env', pair]),
    ...sources,
  ])
  return archive
}

if (import.meta.main) for (const archive of await makeBackendImages()) console.log(archive)
