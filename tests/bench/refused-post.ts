import { processTree } from '@filmgate/tools/stack/process/process-tree'
import postgres from 'postgres'
import { type Account, openAccount } from '../support/client/account'
import { ownWords } from '../support/client/request'
import { settings } from '../support/settings'
import { type Component, pidOf } from '../support/stack'
import { cpuSecondsOf } from './support/cpu-seconds'
import { type Row, shown } from './support/row'

/** Public, and nothing there shows a certificate for it: refused once it has been fetched, after the reservation. */
const unreachableUrl = 'https://203.0.114.1/a.jpg'
/** The gateway's default: an account's refused POSTs in ten minutes. */
const refusalsMax = 100
const warmUpPosts = 40
const posts = refusalsMax - warmUpPosts
/** The statistics of Postgres are written a second behind, and the events of the last POST take as long. */
const settleMs = 3_000
const idleMs = 10_000
/** What 20 keys of an account send in a minute, and what of it the budget lets through. */
const flood = { sent: 600, admitted: refusalsMax / 10 }
const overOfWithinMax = 0.1

const components: Component[] = ['gateway', 'ledger', 'media-probe', 'dispatcher', 'postgres', 'kafka', 'redis']

const request = () => ({ model: 'alpha-h3', mode: 'image-to-video', prompt: ownWords(), duration: 4, image_url: unreachableUrl })

type Cost = { rows: number; walBytes: number; cpuMs: number }

/** A POST that is refused after its reservation, and one that the account's budget of refusals stops: what each costs us. */
export default async function measure(): Promise<Row[]> {
  const sql = postgres(settings.postgresUrl, { max: 1 })
  const pids = await Promise.all(components.map(pidOf))
  const account = await openAccount()
  try {
    await post(account, warmUpPosts, 'media_unreachable')
    const idleFrom = await spent(sql, pids)
    await Bun.sleep(idleMs)
    const idle = difference(await spent(sql, pids), idleFrom)
    const within = await costOf(sql, pids, idle, () => post(account, posts, 'media_unreachable'))
    const entries = await entriesOf(account)
    const over = await costOf(sql, pids, idle, () => post(account, posts, 'rate_limited'))
    const flooded = (figure: keyof Cost) =>
      (flood.admitted * within[figure] + (flood.sent - flood.admitted) * over[figure]) / (flood.sent * within[figure])
    return [
      shown('refused after its reservation, ledger entries for ever', entries / refusalsMax, 'entries a POST'),
      ...rowsOf('rows written', 'rows', within.rows, over.rows, flooded('rows')),
      ...rowsOf('WAL', 'bytes', within.walBytes, over.walBytes, flooded('walBytes')),
      ...rowsOf('processor', 'ms', within.cpuMs, over.cpuMs, flooded('cpuMs')),
    ]
  } finally {
    await sql.end()
  }
}

function rowsOf(what: string, unit: string, within: number, over: number, flooded: number): Row[] {
  const ratio = over / within
  return [
    shown(`refused after its reservation, ${what}`, within, `${unit} a POST`),
    {
      ...{ name: `over the budget of refusals, ${what}, of that`, ratio, value: over, unit: `${unit} a POST` },
      ...{ mark: overOfWithinMax, holds: ratio <= overOfWithinMax },
    },
    { ...shown(`600 such POSTs a minute of one account, ${what}, of those without a budget`, flooded, 'ratio'), ratio: flooded },
  ]
}

async function post({ api }: Account, count: number, code: 'media_unreachable' | 'rate_limited'): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    const answer = await api.generate(request())
    if (answer.body.error?.code !== code) throw new Error(`${code} was expected and not ${answer.status} ${answer.text}`)
  }
}

/** Of one POST, without what the stack does by itself in that time. */
async function costOf(sql: postgres.Sql, pids: number[], idle: Cost, work: () => Promise<void>): Promise<Cost> {
  const [startedAt, before] = [performance.now(), await spent(sql, pids)]
  await work()
  await Bun.sleep(settleMs)
  const all = difference(await spent(sql, pids), before)
  const idleTimes = (performance.now() - startedAt) / idleMs
  const ofOne = (figure: keyof Cost) => Math.max(0, all[figure] - idleTimes * idle[figure]) / posts
  return { rows: ofOne('rows'), walBytes: ofOne('walBytes'), cpuMs: ofOne('cpuMs') }
}

async function spent(sql: postgres.Sql, pids: number[]): Promise<Cost> {
  const [row] = await sql<{ rows: number; wal: number }[]>`
    select sum(tup_inserted + tup_updated + tup_deleted)::float8 as rows, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal
    from pg_stat_database`
  const cpuSeconds = pids.flatMap(processTree).map(pid => cpuSecondsOf(pid))
  return { rows: row?.rows ?? 0, walBytes: row?.wal ?? 0, cpuMs: cpuSeconds.reduce((sum, one) => sum + one, 0) * 1_000 }
}

const difference = (after: Cost, before: Cost): Cost => ({
  rows: after.rows - before.rows,
  walBytes: after.walBytes - before.walBytes,
  cpuMs: after.cpuMs - before.cpuMs,
})

async function entriesOf({ accountId }: Account): Promise<number> {
  const sql = postgres(settings.postgresUrl.replace(/\/[^/]*$/, '/filmgate_ledger'), { max: 1 })
  try {
    const [row] = await sql<{ entries: number }[]>`
      select count(*)::int as entries from entry where account_id = ${accountId} and kind in ('reserve', 'refund')`
    return row?.entries ?? 0
  } finally {
    await sql.end()
  }
}
