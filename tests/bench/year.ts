import { type Account, openAccount } from '../support/client/account'
import { smallRequest } from '../support/client/request'
import { operate } from '../support/operator/operator'
import { openDatabase, outputsCleaned, run } from '../support/servers/databases'
import { scrapeAll } from '../support/servers/metrics'
import { deleteOldTasks } from '../support/servers/retention'
import { move } from '../support/stack'
import { timed, until } from '../support/until'
import { median, type Row, shown } from './support/row'
import { fillYear } from './support/year/fill'
import { logPlans, type Statement } from './support/year/plans'

/** Tasks are kept 395 days: the oldest of these are to be deleted. */
const days = 400
const tasks = 200_000
const accounts = 20
const credits = 1_000_000_000
const rounds = 15
/** A read may take so many times as long as on tables with one task. */
const slowerMax = 5
/** A read of a few milliseconds is not called slow for what else the machine does. */
const msMin = 25
/** 40 MB. A statement of a service that looks at more has no index that serves it. */
const pagesMax = 5_000
const rowsOfLargeTable = 100_000
/** Longer than the services' slowest clock of a minute. */
const roundOfWorkersMs = 70_000
const worstShown = 12
const deliveryId = 'model'
const videoMsMax = 300_000
const databases = ['gateway', 'ledger', 'dispatcher', 'webhooks'] as const

/**
 * The largest tables after a simulated year: they are filled by SQL, vacuumed, and read by what clients and operators ask and what the
 * services do by the clock. Postgres tells the plan of each statement of the services.
 */
export default async function measureYear(): Promise<Row[]> {
  const opened: Account[] = []
  while (opened.length < accounts) opened.push(await openAccount({ credits }))
  const [account] = opened
  if (!account) throw new Error('no account')
  const model = { taskId: await makeVideo(account), endpointId: await makeEndpoint(account), deliveryId }
  const reads = readsOf(account, model)
  const before = await measureReads(reads)
  const filled = await timed(fillYear({ model, accountIds: opened.map(({ accountId }) => accountId), tasks, days }))
  const vacuumed = await timed(vacuumAll())
  const after = await measureReads(reads)
  const whole = await timed(operate<{ findings: unknown[] }>('ledger', 'POST', '/audit?full=true'))
  if (whole.answer.findings.length > 0) throw new Error(JSON.stringify(whole.answer.findings).slice(0, 500))

  const statements = await logPlans(databases)
  const purges = await workADay(account, reads)
  return [
    ...reads.map(({ name }, index) => readRow(name, before[index], after[index])),
    shown('audit of all entries', whole.ms, 'ms'),
    ...purges,
    ...judge(statements(), await largeTables()),
    shown(
      'rows filled',
      Object.values(filled.answer).reduce((sum, rows) => sum + rows, 0),
      `rows, in ${Math.round(filled.ms / 1_000)} s`,
    ),
    shown('vacuum analyze of all', vacuumed.ms, 'ms'),
    ...(await tableSizes()),
  ]
}

/** The bench's stack polls seldom, so its one video is polled here. */
async function makeVideo({ api }: Account): Promise<string> {
  const posted = await api.generate(smallRequest())
  if (posted.status !== 202) throw new Error(`no video: ${posted.status} ${posted.text}`)
  const { id } = posted.body
  await until(
    'the video',
    async () => {
      await run('dispatcher', 'update job set run_at = now() where run_at > now()')
      return (await api.task(id)).body.status === 'completed'
    },
    videoMsMax,
    500,
  )
  return id
}

async function makeEndpoint({ accountId }: Account): Promise<string> {
  const id = `we_${crypto.randomUUID().replaceAll('-', '')}`
  const body = JSON.stringify({ type: 'task.completed', data: 'x'.repeat(600) })
  await run(
    'webhooks',
    `insert into endpoint (id, account_id, url, description, events, secret) values ($1, $2, 'https://hooks.example', '', '{task.completed}', '')`,
    [id, accountId],
  )
  await run(
    'webhooks',
    `insert into delivery (id, endpoint_id, event_id, event, body, status, attempts, give_up_at)
     values ('${deliveryId}', $1, 'model', 'task.completed', $2, 'delivered', '[{"at": "2026-11-27T05:43:14.193Z", "status": 200, "duration_ms": 30, "error": null, "answer": ""}]', now())`,
    [id, body],
  )
  return id
}

type Read = { name: string; read: () => Promise<unknown> }

function readsOf({ api, accountId }: Account, { taskId, endpointId }: { taskId: string; endpointId: string }): Read[] {
  const get = (path: string) => async () => {
    const { status, text } = await api.get(path)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  }
  const client = (path: string): Read => ({ name: `GET ${path.replace(taskId, '{id}').replace(endpointId, '{id}')}`, read: get(path) })
  const operator = (service: 'gateway' | 'dispatcher' | 'ledger', path: string): Read => ({
    name: `operators: ${service} ${path
      .replace(accountId, '{id}')
      .replace(taskId, '{id}')
      .replace(/from=.*/, 'of a day')}`,
    read: () => operate(service, 'GET', path),
  })
  const yesterday = `from=${new Date(Date.now() - 86_400_000).toISOString()}&to=${new Date().toISOString()}`
  return [
    client(`/tasks/${taskId}`),
    client('/tasks?limit=100'),
    client('/tasks?status=failed&limit=100'),
    client('/credits'),
    client('/usage?limit=100'),
    client('/usage/summary'),
    client(`/webhook-endpoints/${endpointId}/deliveries`),
    operator('gateway', '/tasks?limit=100'),
    operator('gateway', '/tasks?billing=review'),
    operator('gateway', '/reviews'),
    operator('gateway', `/tasks/${taskId}`),
    operator('ledger', `/accounts/${accountId}`),
    operator('dispatcher', '/reviews'),
    operator('dispatcher', `/tasks/${taskId}`),
    operator('dispatcher', `/costs?${yesterday}`),
  ]
}

async function measureReads(reads: Read[]): Promise<number[]> {
  const medians: number[] = []
  for (const { read } of reads) {
    await read()
    const took: number[] = []
    for (let round = 0; round < rounds; round++) took.push((await timed(read())).ms)
    medians.push(median(took))
  }
  return medians
}

function readRow(name: string, before = Number.NaN, after = Number.NaN): Row {
  const ratio = after / before
  return { name, ratio, value: after, unit: 'ms', mark: slowerMax, holds: ratio <= slowerMax || after <= msMin }
}

async function vacuumAll(): Promise<void> {
  for (const database of databases) await run(database, 'vacuum analyze')
}

/** Everything that reads or purges, once: requests, a whole generation, gauges, the audit, retentions, and what services do each minute. */
async function workADay(account: Account, reads: Read[]): Promise<Row[]> {
  for (const { name, read } of reads)
    await until(name, () =>
      read().then(
        () => true,
        () => false,
      ),
    )
  await makeVideo(account)
  await scrapeAll()
  const audit = await timed(operate('ledger', 'POST', '/audit'))
  const tasksBefore = await countRows('gateway', 'task')
  const retention = await timed(deleteOldTasks())
  const deleted = tasksBefore - (await countRows('gateway', 'task'))
  const outputs = await timed(outputsCleaned())
  await move('webhooks', 'stop')
  await move('webhooks', 'start')
  await Bun.sleep(roundOfWorkersMs)
  return [
    shown('audit of the newest entries', audit.ms, 'ms'),
    shown(`retention of ${deleted} tasks, each 5,000`, (retention.ms / deleted) * 5_000, 'ms'),
    shown('outputs of a day and old attempts deleted', outputs.ms, 'ms'),
  ]
}

async function countRows(database: (typeof databases)[number], table: string): Promise<number> {
  const [row] = await run<{ rows: string }>(database, `select count(*) as rows from ${table}`)
  return Number(row?.rows)
}

/** By `database.table`. */
async function largeTables(): Promise<Set<string>> {
  const large = new Set<string>()
  for (const database of databases) {
    const rows = await run<{ name: string }>(database, 'select relname as name from pg_class where relkind = $1 and reltuples > $2', [
      'r',
      rowsOfLargeTable,
    ])
    for (const { name } of rows) large.add(`filmgate_${database}.${name}`)
  }
  return large
}

function judge(statements: Statement[], large: Set<string>): Row[] {
  const ours = statements.filter(({ text }) => !text.includes('year_task'))
  const scanning = ours.filter(({ database, scanned }) => scanned.some(table => large.has(`${database}.${table}`)))
  // A purge touches the pages of all rows that it deletes.
  const wide = ours.filter(statement => statement.pagesMax > pagesMax && !/\bdelete from\b/.test(statement.text))
  for (const { text, indexes, ...figures } of [...scanning, ...wide]) console.log(JSON.stringify({ ...figures, indexes, text }))
  const worst = ours.toSorted((a, b) => b.pagesMax - a.pagesMax).slice(0, worstShown)
  const counted = (name: string, found: Statement[]): Row => ({
    name,
    ratio: null,
    value: found.length,
    unit: `of ${ours.length} statements`,
    mark: 0,
    holds: found.length === 0 && ours.length > 0,
  })
  return [
    counted('statements that read a large table whole', scanning),
    counted(`statements that look at more than ${pagesMax} pages`, wide),
    ...worst.map(({ database, text, msMax, pagesMax: pages, indexes }) =>
      shown(
        `${database}: ${text.slice(0, 90)}`,
        pages,
        `pages, ${Math.round(msMax)} ms, by ${indexes.slice(0, 2).join(', ') || 'no index'}`,
      ),
    ),
  ]
}

async function tableSizes(): Promise<Row[]> {
  const rows: Row[] = []
  for (const database of databases) {
    const sql = openDatabase(database)
    const tables = await sql<{ name: string; bytes: number; rows: number }[]>`
      select relname as name, pg_total_relation_size(oid)::float8 as bytes, reltuples::float8 as rows
      from pg_class where relkind = 'r' and reltuples > ${rowsOfLargeTable} order by 2 desc`
    await sql.end()
    rows.push(
      ...tables.map(table =>
        shown(`${database}.${table.name}, a row with its indexes`, table.bytes / table.rows, `bytes, ${Math.round(table.rows)} rows`),
      ),
    )
  }
  return rows
}
