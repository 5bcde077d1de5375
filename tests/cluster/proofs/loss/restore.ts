import type { Cluster } from '../../cluster'
import { backends, namespace, release, upgrade, values } from '../../install'
import { auditIsClean, type Installation, underLoad } from '../../installation'
import { judgeDisaster } from '../../load/gate'
import type { Proof } from '../../report'
import { eventually } from '../../shell'

const database = 'filmgate_dispatcher'
const dump = '/tmp/drill.dump'
/** What the dispatcher did in this time is lost. */
const lostMs = 20_000
/** Recovery mode lasts longer than an admission: docs/restore.md, After a restore. */
const admissionMs = 45_000
const marginMs = 60_000
const agreeMsMax = 120_000

/** The database of the dispatcher is set back to its dump under load, by the commands of docs/restore.md. No order is made twice. */
export const restoreProof: Proof<Installation> = {
  name: 'a database restored from its dump',
  short: false,
  async prove(installation) {
    const { cluster, tag } = installation
    const usual = values(tag)
    const config = { ...usual.gateway.config, FILMGATE_ADMISSION_TIMEOUT_MS: admissionMs }
    const base = { ...usual, gateway: { ...usual.gateway, config }, ops: { enabled: true, resources: usual.catalog.resources } }
    await upgrade(cluster, base)
    let since = ''
    const { load, figures } = await underLoad(installation, 6, async () => {
      await inPostgres(cluster, `pg_dump -U postgres -Fc -f ${dump} ${database}`)
      since = new Date(Date.now() - marginMs).toISOString()
      const before = await attemptsOf(cluster)
      await Bun.sleep(lostMs)
      const startedAt = performance.now()
      await upgrade(cluster, { ...base, global: { ...base.global, recovery: true } })
      const enteredAt = performance.now()
      const lost = (await attemptsOf(cluster)) - before
      await setBack(cluster)
      const report = await ops(cluster, 'recover', '--since', since)
      await Bun.sleep(Math.max(0, admissionMs - (performance.now() - enteredAt)))
      await upgrade(cluster, base)
      return {
        attempts_lost: lost,
        seconds: Math.round((performance.now() - startedAt) / 1000),
        recovered: report.trim().split('\n').at(-1) ?? '',
      }
    })
    const failures = judgeDisaster(load)
    if (figures.attempts_lost === 0) throw new Error('no attempt was lost, so nothing was proven')
    await auditIsClean(installation)
    await eventually('the audit of all services', agreeMsMax, async () => {
      await ops(cluster, 'audit', 'across', '--since', since, '--grace', '5')
      return true
    })
    await upgrade(cluster, usual)
    return { ...figures, ...failures }
  },
}

const inPostgres = (cluster: Cluster, command: string) => cluster.kubectl(['-n', backends, 'exec', 'postgres-0', '--', 'sh', '-c', command])

const sql = (cluster: Cluster, statement: string, name = 'postgres') => inPostgres(cluster, `psql -U postgres -Atqc "${statement}" ${name}`)

const attemptsOf = async (cluster: Cluster): Promise<number> => Number(await sql(cluster, 'select count(*) from attempt', database))

/** Beside the damaged database, which is kept, then in its place. */
async function setBack(cluster: Cluster): Promise<void> {
  const restored = `${database}_restored`
  await sql(cluster, `create database ${restored} owner ${database}`)
  await inPostgres(cluster, `pg_restore -U postgres -d ${restored} ${dump}`)
  await sql(cluster, `alter database ${database} allow_connections false`)
  await sql(cluster, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`)
  await sql(cluster, `alter database ${database} rename to ${database}_damaged`)
  await sql(cluster, `alter database ${restored} rename to ${database}`)
}

const ops = (cluster: Cluster, ...words: string[]) =>
  cluster.kubectl(['-n', namespace, 'exec', `deploy/${release}-ops`, '--', '/usr/local/bin/bun', 'dist/ops.js', ...words])
