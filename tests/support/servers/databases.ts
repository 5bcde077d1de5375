import postgres from 'postgres'
import { settings } from '../settings'
import { until } from '../until'

export const databases = ['gateway', 'ledger', 'dispatcher', 'media_probe', 'console', 'webhooks'] as const
type Database = (typeof databases)[number]
type Statement = [database: Database, text: string, values?: (string | number)[]]

/** One connection to a service's database, which its opener ends. */
export const openDatabase = (database: Database) =>
  postgres(settings.postgresUrl.replace(/\/[^/]*$/, `/filmgate_${database}`), { max: 1, onnotice: () => {} })

/** A statement of the test on a service's database; `text` has $1, $2 … for the values. */
export async function run<R extends object>(...[database, text, values = []]: Statement): Promise<R[] & { count: number }> {
  const sql = openDatabase(database)
  try {
    return (await sql.unsafe(text, values)) as unknown as R[] & { count: number }
  } finally {
    await sql.end()
  }
}

async function changeOne(...statement: Statement): Promise<void> {
  const { count } = await run(...statement)
  if (count !== 1) throw new Error(`${count} rows instead of one: ${statement[1]}`)
}

const earlier = (column: string) => `${column} = ${column} - $2 * interval '1 hour'`

/**
 * Lets hours pass for one row: what takes days can't be waited for, and a setting made short for the tests would leave untried the one
 * that is in force.
 */
export const passHours = {
  /** Of what is left of its admission. */
  ofAdmission: (taskId: string, hours: number) =>
    changeOne('gateway', `update task set ${earlier('admit_by')} where id = $1`, [taskId, hours]),
  ofTask: (taskId: string, hours: number) =>
    changeOne('gateway', `update task set ${earlier('created_at')} where id = $1`, [taskId, hours]),
  /** After a rotation: of its former secrets, each of what it has left. */
  ofRotation: (keyId: string, hours: number) =>
    changeOne(
      'gateway',
      `update api_key set ${earlier('previous_until')}, former_secrets = (
         select coalesce(jsonb_agg(secret || jsonb_build_object('until', (secret ->> 'until')::timestamptz - $2 * interval '1 hour')), '[]')
         from jsonb_array_elements(former_secrets) as secret)
       where id = $1`,
      [keyId, hours],
    ),
  ofKey: (keyId: string, hours: number) =>
    changeOne('gateway', `update api_key set ${earlier('expires_at')} where id = $1`, [keyId, hours]),
  ofOutput: (taskId: string, hours: number) =>
    changeOne('dispatcher', `update attempt set ${earlier('output_expires_at')} where task_id = $1`, [taskId, hours]),
  /** Of the deletion that waits for them. */
  ofInputs: (taskId: string, hours: number) =>
    changeOne('media_probe', `update job set ${earlier('run_at')} where kind = 'delete-inputs' and id = $1`, [taskId, hours]),
}

/** Whether the key has been used yet. */
export const keyUsed = async (keyId: string): Promise<boolean> =>
  (await run('gateway', 'select from api_key where id = $1 and last_used_at is not null', [keyId])).length === 1

/** Returns when the dispatcher has cleaned, which it does every second here and every hour in earnest, from beginning to end. */
export async function outputsCleaned(): Promise<void> {
  const claims = async () => (await run<{ epoch: string }>('dispatcher', `select epoch from job where kind = 'expire'`))[0]?.epoch
  await run('dispatcher', `update job set run_at = least(run_at, now()) where kind = 'expire'`)
  const before = Number(await claims())
  // The next one may have begun already; once there is one more, the one between is over.
  await until('the outputs to be cleaned', async () => Number(await claims()) >= before + 2)
}

/** When a task's inputs are to be deleted, from now; undefined where nothing waits to delete them. */
export async function inputsKeptHours(taskId: string): Promise<number | undefined> {
  const hours = 'extract(epoch from run_at - now())::float8 / 3600 as hours'
  const [job] = await run<{ hours: number }>('media_probe', `select ${hours} from job where kind = 'delete-inputs' and id = $1`, [taskId])
  return job?.hours
}

/** Every task the gateway has a row of, also those its client was never told of. */
export const taskIdsOf = async (accountId: string): Promise<string[]> =>
  (await run<{ id: string }>('gateway', 'select id from task where account_id = $1', [accountId])).map(({ id }) => id)

/** How many rows of each kind the gateway has of a task. */
export async function rowsOfTask(taskId: string): Promise<Record<'task' | 'task_event' | 'task_request', number>> {
  const [rows] = await run<Record<'task' | 'task_event' | 'task_request', string>>(
    'gateway',
    `select (select count(*) from task where id = $1) as task, (select count(*) from task_event where task_id = $1) as task_event,
            (select count(*) from task_request where task_id = $1) as task_request`,
    [taskId],
  )
  const { task, task_event, task_request } = rows ?? { task: 0, task_event: 0, task_request: 0 }
  return { task: Number(task), task_event: Number(task_event), task_request: Number(task_request) }
}

/** What a version before replays leaves: tasks whose requests were not kept. */
export const forgetRequests = (accountId: string) =>
  run('gateway', 'delete from task_request where task_id in (select id from task where account_id = $1)', [accountId])

/** No task of the account is replayed before; for what must have been heard by then. */
export const holdReplay = (accountId: string, seconds: number) =>
  run(
    'gateway',
    `update task_request set retell_at = now() + $2 * interval '1 second' where task_id in (select id from task where account_id = $1)`,
    [accountId, seconds],
  )

/** Until an account's rows can be written again, whatever asks for one is at fault: `check` names what is refused of them. */
export async function refuseRows(
  [database, table]: ['ledger', 'reservation'] | ['dispatcher', 'attempt'],
  accountId: string,
  check = 'false',
): Promise<() => Promise<unknown>> {
  const name = 'refused_by_a_test'
  await run(database, `alter table ${table} add constraint ${name} check (account_id <> '${accountId}' or ${check}) not valid`)
  return () => run(database, `alter table ${table} drop constraint ${name}`)
}

/** What an account has spent on its latest day was spent on this earlier one (2026-10-31), and its month's spend in that month. */
export async function moveSpend(accountId: string, day: string): Promise<void> {
  const connection = openDatabase('ledger')
  await connection.begin(async sql => {
    // The trigger that keeps reservations as they were made is passed by.
    await sql`set local session_replication_role = replica`
    await sql`select from account where id = ${accountId} for no key update`
    const [row] = await sql`select max(spend_day) as latest from reservation where account_id = ${accountId}`
    const latest = String(row?.latest)
    const [month, latestMonth] = [day.slice(0, 7), latest.slice(0, 7)]
    await sql`
      update budget_spend set period = case period when ${latest} then ${day} when ${latestMonth} then ${month} end
      where account_id = ${accountId} and period in (${latest}, ${latestMonth})`
    await sql`update reservation set spend_day = ${day} where account_id = ${accountId} and spend_day = ${latest}`
  })
  await connection.end()
}

export type SpentCredits = { key: string | null; credits: number }

/** What the entries of an account hold or have charged, by the key of each reservation that is counted against budgets. */
export const spentByKey = async (accountId: string): Promise<SpentCredits[]> =>
  (
    await run<{ key: string | null; credits: string }>(
      'ledger',
      `select key_id as key, -sum(entry.credits) as credits from entry join reservation on task_id = source_id
       where entry.account_id = $1 and book in ('customer_paid', 'customer_starter') group by key_id`,
      [accountId],
    )
  ).map(({ key, credits }) => ({ key, credits: Number(credits) }))
