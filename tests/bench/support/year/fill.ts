import type postgres from 'postgres'
import { openDatabase } from '../../../support/servers/databases'

export type Year = {
  /** The task and the delivery whose rows stand for all. */
  model: { taskId: string; deliveryId: string }
  /** The first has a tenth of all tasks. */
  accountIds: string[]
  tasks: number
  /** Over which they are spread, up to now. */
  days: number
}

type Database = Parameters<typeof openDatabase>[0]
/** A column of a copied row: SQL in place of its value, where `y` is the row of its new task. */
type Changes = Record<string, string>
type Copy = { database: Database; table: string; of: string; changes: Changes; where?: string; without?: string[] }

const portion = 50_000
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const deliveriesKeptDays = 31

const copies = ({ model: { taskId, deliveryId }, days }: Year): Copy[] => [
  {
    database: 'gateway',
    table: 'task',
    of: `id = '${taskId}'`,
    changes: {
      id: 'y.task_id',
      account_id: 'y.account_id',
      idempotency_key: `'year-' || y.n`,
      created_at: 'y.at',
      updated_at: `y.at + interval '1 minute'`,
      admit_by: `y.at + interval '250 seconds'`,
      phase: `case when y.n % 25000 = 7 then 'uncertain' when y.n % 20 = 3 then 'failed' else 'completed' end`,
      billing_status: `case when y.n % 25000 = 7 then 'review' when y.n % 20 = 3 then 'refunded' else 'settled' end`,
      phase_rank: 'case when y.n % 25000 = 7 then 2 else 4 end',
    },
  },
  {
    database: 'gateway',
    table: 'task_event',
    of: `task_id = '${taskId}'`,
    changes: { task_id: 'y.task_id', at: 'y.at' },
    without: ['seq'],
  },
  {
    database: 'gateway',
    table: 'usage_entry',
    of: `task_id = '${taskId}' and kind = 'reservation'`,
    changes: { task_id: 'y.task_id', account_id: 'y.account_id', at: 'y.at', balance_version: 'y.n' },
  },
  {
    database: 'ledger',
    table: 'reservation',
    of: `task_id = '${taskId}'`,
    changes: { task_id: 'y.task_id', account_id: 'y.account_id', reserved_at: 'y.at', changed_at: 'y.at', ended_at: 'y.at' },
  },
  {
    database: 'ledger',
    table: 'entry',
    of: `source_id = '${taskId}'`,
    changes: { source_id: 'y.task_id', account_id: 'y.account_id', at: 'y.at' },
    without: ['seq'],
  },
  {
    database: 'dispatcher',
    table: 'attempt',
    of: `task_id = '${taskId}'`,
    changes: {
      id: `'at_' || lpad(to_hex(y.ms), 12, '0') || '70018' || lpad(to_hex(y.n), 15, '0')`,
      task_id: 'y.task_id',
      account_id: 'y.account_id',
      provider_task_id: `'year-' || y.n`,
      output_key: `'year/' || y.n`,
      output_expires_at: `case when y.at > now() - interval '31 days' then y.at + interval '30 days' end`,
      review_since: 'case when y.n % 25000 = 7 then y.at end',
      created_at: 'y.at',
      updated_at: 'y.at',
      accepted_at: 'y.at',
      ended_at: 'y.at',
    },
  },
  {
    database: 'webhooks',
    table: 'delivery',
    of: `id = '${deliveryId}'`,
    changes: {
      id: `'year-' || y.n`,
      event_id: `'year-' || y.n`,
      task_id: 'y.task_id',
      // They are kept for a month: a year's number of them stands for twelve times the rate.
      created_at: `now() - (now() - y.at) * ${deliveriesKeptDays / days}`,
    },
    without: ['seq'],
  },
]

/** Fills the largest tables with copies of one task's rows. Returns how many rows each has got. */
export async function fillYear(year: Year): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  const all = copies(year)
  for (const database of new Set(all.map(copy => copy.database))) {
    const sql = openDatabase(database)
    // Triggers and foreign keys are of single rows, which one row has passed already.
    await sql`set session_replication_role = replica`
    await sql`set synchronous_commit = off`
    await makeTasks(sql, year)
    const own = all.filter(copy => copy.database === database)
    const inserts = await Promise.all(own.map(copy => insertOf(sql, copy)))
    for (let from = 1; from <= year.tasks; from += portion) {
      for (const [index, { table }] of own.entries()) {
        const { count } = await sql.unsafe(`${inserts[index]} and y.n >= ${from} and y.n < ${from + portion}`)
        rows[`${database}.${table}`] = (rows[`${database}.${table}`] ?? 0) + count
      }
      console.log(`${database}: ${Math.min(from + portion - 1, year.tasks)} of ${year.tasks} tasks`)
    }
    if (database === 'ledger') await bookBalances(sql)
    await sql`drop table year_task`
    await sql.end()
  }
  return rows
}

/** Every database makes the same ids: they sort by time, as those of real tasks. */
async function makeTasks(sql: postgres.Sql, { accountIds, tasks, days }: Year): Promise<void> {
  const digit = (place: number) => `substr('${alphabet}', ((ms >> ${place * 5}) & 31)::int + 1, 1)`
  const time = Array.from({ length: 10 }, (_, index) => digit(9 - index)).join(' || ')
  const accounts = `array[${accountIds.map(id => `'${id}'`).join(',')}]`
  await sql.unsafe(`
    create unlogged table year_task as
    select n, ms, 'vt_' || ${time} || 'e008' || lpad(to_hex(n), 12, '0') as task_id, to_timestamp(ms / 1000.0) as at,
           (${accounts})[case when n % 10 = 0 then 1 else n % ${accountIds.length} + 1 end] as account_id
    from (
      select n, (extract(epoch from now() - interval '${days} days') * 1000 + n::float8 / ${tasks} * ${days} * 86400000)::bigint as ms
      from generate_series(1, ${tasks}) as n
    ) as made`)
  await sql`create index on year_task (n)`
  await sql`analyze year_task`
}

async function insertOf(sql: postgres.Sql, { table, of, changes, without = [] }: Copy): Promise<string> {
  const columns = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attname <> all(${without})`
  const names = columns.map(({ name }) => name)
  const values = names.map(name => changes[name] ?? `row.${name}`)
  return `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from year_task y, (select * from ${table} where ${of}) as row where true`
}

/** What the copied reservations took is taken from the accounts, so that the auditor finds nothing. */
const bookBalances = (sql: postgres.Sql) => sql`
  update account set available = available - spent.credits
  from (
    select y.account_id, sum(reservation.paid) as credits
    from year_task y join reservation using (task_id) group by y.account_id
  ) as spent
  where account.id = spent.account_id`
