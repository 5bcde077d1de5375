import { join } from 'node:path'
import { type Cluster, forward, stateDir } from '../../cluster'
import { backends, databaseUrl, namespace, release, upgrade, values } from '../../install'
import { auditIsClean, type Installation, underLoad } from '../../installation'
import { judgeDisaster } from '../../load/gate'
import type { Proof } from '../../report'
import { eventually, mustRun } from '../../shell'

const disk = join(stateDir, 'volumes/postgres')
const snapshot = join(stateDir, 'volumes/postgres-snapshot')
/** What all services did in this time is lost. */
const lostMs = 20_000
/** Recovery mode lasts longer than an admission: docs/restore.md, After a restore. */
const admissionMs = 45_000
const marginMs = 60_000
const agreeMsMax = 120_000

/** The disk of Postgres is set back to a snapshot under load, and the commands of docs/restore.md follow. No order is made twice. */
export const restoreProof: Proof<Installation> = {
  name: 'all databases restored from a snapshot of their disk',
  short: false,
  needs: 'node of our own',
  async prove(installation) {
    const { cluster, tag } = installation
    const usual = values(tag)
    const config = { ...usual.gateway.config, FILMGATE_ADMISSION_TIMEOUT_MS: admissionMs }
    // The audit of all services is the console's, once it has an operator.
    const operators = { content: JSON.stringify([{ email: 'ada@example.com', role: 'money' }]), tokenSecret: 'filmgate-operator' }
    const base = {
      ...usual,
      gateway: { ...usual.gateway, config },
      console: { ...usual.console, operators },
      ops: { enabled: true, resources: usual.catalog.resources },
    }
    await upgrade(cluster, base)
    let since = ''
    const { load, figures } = await underLoad(installation, 6, async () => {
      await withoutPostgres(cluster, () => mustRun(['sh', '-c', 'rm -rf "$1" && cp -a "$0" "$1"', disk, snapshot]))
      since = new Date(Date.now() - marginMs).toISOString()
      await Bun.sleep(lostMs)
      const startedAt = performance.now()
      await upgrade(cluster, { ...base, global: { ...base.global, recovery: true } })
      const enteredAt = performance.now()
      const before = await attemptsOf(cluster)
      await withoutPostgres(cluster, () => mustRun(['sh', '-c', 'rm -r "$1" && mv "$0" "$1"', snapshot, disk]))
      const lost = before - (await attemptsOf(cluster))
      await ops(cluster, 'recover', '--since', since)
      await Bun.sleep(Math.max(0, admissionMs - (performance.now() - enteredAt)))
      await upgrade(cluster, { ...base, gateway: { ...base.gateway, recovery: true } })
      await upgrade(cluster, base)
      return { attempts_lost: lost, refused_s: Math.round((performance.now() - startedAt) / 1000) }
    })
    const failures = judgeDisaster(load)
    if (!figures.attempts_lost) throw new Error('no attempt was lost, so nothing was proven')
    await auditIsClean(installation)
    await eventually('the audit of all services', agreeMsMax, async () => {
      await ops(cluster, 'audit', 'across', '--since', since, '--grace', '5')
      return true
    })
    await upgrade(cluster, usual)
    return { ...figures, ...failures }
  },
}

/** A disk that nobody writes to is copied whole; the services wait for their database meanwhile. */
async function withoutPostgres(cluster: Cluster, work: () => Promise<unknown>): Promise<void> {
  const set = 'statefulset/postgres'
  await cluster.kubectl(['-n', backends, 'scale', set, '--replicas=0'])
  await cluster.kubectl(['-n', backends, 'wait', '--for=delete', 'pod/postgres-0', '--timeout=180s'])
  await work()
  await cluster.kubectl(['-n', backends, 'scale', set, '--replicas=1'])
  await cluster.kubectl(['-n', backends, 'rollout', 'status', set, '--timeout=180s'])
}

async function attemptsOf(cluster: Cluster): Promise<number> {
  const server = await forward(cluster, 'service/filmgate-postgres-rw', 5432, backends)
  const sql = new Bun.SQL(databaseUrl('dispatcher', new URL(server.url).host), { max: 1 })
  try {
    const [row] = await sql`select count(*)::int as attempts from attempt`
    return row.attempts
  } finally {
    await sql.end()
    server.close()
  }
}

const ops = (cluster: Cluster, ...words: string[]) =>
  cluster.kubectl([
    '-n',
    namespace,
    'exec',
    `deploy/${release}-ops`,
    '--',
    '/usr/local/bin/bun',
    'dist/ops.js',
    ...words,
    '--by',
    'cluster test',
  ])
