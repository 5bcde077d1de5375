import { SQL } from 'bun'
import { settings } from '../support/settings'
import type { Row } from './support/row'

const ratioMin = 20
const accounts = 1_000
const tasksAPortion = 25_000
const portions = 10
const newTasks = 250
const runTimeoutMs = 240_000

/** A million entries audited whole, and then what a run costs that finds a thousand new ones: its cost follows what is new. */
export default async function measure(): Promise<Row[]> {
  const sql = new SQL(Object.assign(new URL(settings.postgresUrl), { pathname: '/filmgate_ledger' }).href, { max: 1 })
  await sql`
    insert into account (id, available, opened_at) select 'bench-' || n, 1000000, now() from generate_series(1, ${accounts}::int) as n`
  await sql`
    insert into credit_grant (id, account_id, balance, credits, reason, granted_at)
    select 'grant-' || n, 'bench-' || n, 'paid', 1000000, 'bench', now() from generate_series(1, ${accounts}::int) as n`
  await sql`
    insert into entry (source_id, kind, book, account_id, credits, at)
    select 'grant-' || n, 'grant', book::book, 'bench-' || n, credits, now()
    from generate_series(1, ${accounts}::int) as n, (values ('issued', -1000000), ('customer_paid', 1000000)) as line (book, credits)`
  for (let portion = 0; portion < portions; portion++) await addTasks(sql, portion * tasksAPortion, tasksAPortion)
  const whole = await auditMs('?full=true')
  await addTasks(sql, portions * tasksAPortion, newTasks)
  const added = await auditMs('')
  await sql.close()
  const ratio = whole / added
  return [{ name: '1,000,000 entries audited / 1,000 new ones', ratio, value: added, unit: 'ms', mark: ratioMin, holds: ratio >= ratioMin }]
}

/** Tasks that were reserved for one credit and settled, spread over the accounts: four entries each. */
async function addTasks(sql: SQL, first: number, tasks: number): Promise<void> {
  await sql`
    insert into reservation (task_id, account_id, surface, paid, starter, price_version, state, reserved_at, changed_at, ended_at)
    select 'task-' || n, 'bench-' || (n % ${accounts}::int + 1), 'api', 1, 0, 'p1', 'settled', now(), now(), now()
    from generate_series(${first}::int, ${first + tasks - 1}::int) as n`
  await sql`
    insert into entry (source_id, kind, book, account_id, credits, at)
    select 'task-' || n, kind::entry_kind, book::book, 'bench-' || (n % ${accounts}::int + 1), credits, now()
    from generate_series(${first}::int, ${first + tasks - 1}::int) as n,
         (values ('reserve', 'customer_paid', -1), ('reserve', 'reserved', 1), ('settle', 'reserved', -1), ('settle', 'revenue', 1)) as line (kind, book, credits)`
  await sql`
    update account set available = available - spent.credits
    from (select account_id, count(*) as credits from reservation
          where task_id in (select 'task-' || n from generate_series(${first}::int, ${first + tasks - 1}::int) as n) group by account_id) as spent
    where id = account_id`
}

async function auditMs(query: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(`${settings.serviceUrls.ledger}/operator/audit${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${settings.operatorToken}` },
    signal: AbortSignal.timeout(runTimeoutMs),
  })
  const body = (await response.json()) as { scope: string; findings: unknown[] }
  if (!response.ok || body.findings.length > 0)
    throw new Error(`the audit answered ${response.status} ${JSON.stringify(body).slice(0, 500)}`)
  return performance.now() - began
}
