import { expect, test } from 'bun:test'
import { type Account, openAccount } from '../../support/client/account'
import { smallRequest } from '../../support/client/request'
import { ops } from '../../support/operator/ops'
import { openDatabase } from '../../support/servers/databases'
import { until } from '../../support/until'

type Database = Parameters<typeof openDatabase>[0]
/** The least that the console takes: what changed within it is left out. */
const graceSeconds = '5'
const settled = `now() - interval '6 seconds'`

type Finding = { comparison: string; check: string; subject: string }

/** What the cross-audit says of these subjects; other tests work on the same stack. */
async function findingsOf(subjects: string[], since: string): Promise<string[]> {
  const run = await until('the cross-audit to be ours', async () => {
    const { stdout } = await ops('audit', 'across', '--since', since, '--grace', graceSeconds, '--json')
    return stdout.startsWith('{') && (JSON.parse(stdout) as { findings: Finding[] })
  })
  return run.findings.filter(({ subject }) => subjects.includes(subject)).map(({ check, subject }) => `${check} ${subject}`)
}

/** A change of one row by hand: what it does, how it is undone, and what has to be found. */
type Change = { database: Database; change: string; undo?: string; found: string[] }

/** Makes the changes one by one; rows that are deleted come back as they were. Returns what undoes all. */
async function makeChanges(changes: Change[]): Promise<() => Promise<void>> {
  const undone: [database: Database, text: string, values: string[]][] = []
  for (const { database, change, undo } of changes) {
    const sql = openDatabase(database)
    const rows = await sql.unsafe(undo ? change : `with gone as (${change} returning *) select row_to_json(gone)::text as row from gone`)
    await sql.end()
    if (rows.count !== 1) throw new Error(`${rows.count} rows instead of one: ${change}`)
    const table = /delete from (\w+)/.exec(change)?.[1]
    undone.push(
      undo
        ? [database, undo, []]
        : [database, `insert into ${table} select * from json_populate_record(null::${table}, $1::text::json)`, [rows[0]?.row]],
    )
  }
  return async () => {
    for (const [database, text, values] of undone.toReversed()) {
      const sql = openDatabase(database)
      await sql.unsafe(text, values)
      await sql.end()
    }
  }
}

async function completed({ api }: Account): Promise<string> {
  const { body } = await api.generate(smallRequest())
  await api.taskOnce(body.id, ({ status, billing_status }) => status === 'completed' && billing_status === 'settled')
  return body.id
}

test('rows that were changed by hand in the services’ databases are found, each as what it is and nothing else, until they are put right', async () => {
  const since = new Date().toISOString()
  const [payer, ahead, differing] = [await openAccount({ credits: 1_000 }), await openAccount(), await openAccount()]
  const ids: string[] = []
  for (let count = 0; count < 6; count++) ids.push(await completed(payer))
  const [refunded = '', lost = '', stranger = '', failed = '', untried = '', cut = ''] = ids
  const sql = openDatabase('gateway')
  const accounts = [ahead.accountId, differing.accountId]
  const changesOf = await sql<{ id: string }[]>`
    select id from credit_change where account_id = any(${accounts}) order by array_position(${accounts}::text[], account_id)`
  await sql.end()
  const [forgotten = '', raised = ''] = changesOf.map(({ id }) => id)
  const invented = `invented-${crypto.randomUUID()}`
  const opened = `acct_${crypto.randomUUID()}`
  const subjects = [...ids, payer.accountId, ...accounts, forgotten, raised, invented, opened]
  await until('nothing to be found at rest', async () => (await findingsOf(subjects, since)).length === 0)

  const changes: Change[] = [
    {
      database: 'gateway',
      change: `update task set credits_refunded = credits_refunded + 1 where id = '${refunded}'`,
      undo: `update task set credits_refunded = credits_refunded - 1 where id = '${refunded}'`,
      found: [`task_credits_differ ${refunded}`],
    },
    { database: 'gateway', change: `delete from task where id = '${lost}'`, found: [`attempt_unknown ${lost}`, `task_missing ${lost}`] },
    {
      database: 'gateway',
      change: `update task set account_id = '${ahead.accountId}' where id = '${stranger}'`,
      undo: `update task set account_id = '${payer.accountId}' where id = '${stranger}'`,
      found: [`task_account_differs ${stranger}`],
    },
    {
      database: 'dispatcher',
      change: `update attempt set state = 'failed' where task_id = '${failed}'`,
      undo: `update attempt set state = 'completed' where task_id = '${failed}'`,
      found: [`outcome_differs ${failed}`],
    },
    { database: 'dispatcher', change: `delete from attempt where task_id = '${untried}'`, found: [`attempt_missing ${untried}`] },
    {
      database: 'dispatcher',
      change: `update attempt set output_bytes = output_bytes + 1 where task_id = '${cut}'`,
      undo: `update attempt set output_bytes = output_bytes - 1 where task_id = '${cut}'`,
      found: [`output_differs ${cut}`],
    },
    {
      database: 'gateway',
      change: `update account set balance_version = balance_version + 1000 where id = '${ahead.accountId}'`,
      undo: `update account set balance_version = balance_version - 1000 where id = '${ahead.accountId}'`,
      found: [`balance_ahead ${ahead.accountId}`],
    },
    {
      database: 'gateway',
      change: `update account set available = available + 1 where id = '${differing.accountId}'`,
      undo: `update account set available = available - 1 where id = '${differing.accountId}'`,
      found: [`balance_differs ${differing.accountId}`],
    },
    {
      database: 'gateway',
      change: `insert into account (id, name, created_at) values ('${opened}', 'by hand', ${settled})`,
      undo: `delete from account where id = '${opened}'`,
      found: [`books_missing ${opened}`],
    },
    { database: 'gateway', change: `delete from credit_change where id = '${forgotten}'`, found: [`change_unknown ${forgotten}`] },
    {
      database: 'gateway',
      change: `update credit_change set credits = credits + 1 where id = '${raised}'`,
      undo: `update credit_change set credits = credits - 1 where id = '${raised}'`,
      found: [`change_differs ${raised}`],
    },
    {
      database: 'gateway',
      change: `insert into credit_change (id, account_id, kind, balance, credits, reason, operator, asked_at, state, decided_at)
               values ('${invented}', '${payer.accountId}', 'grant', 'paid', 1, 'by hand', 'nobody', ${settled}, 'applied', ${settled})`,
      undo: `delete from credit_change where id = '${invented}'`,
      found: [`change_missing ${invented}`],
    },
  ]
  const undo = await makeChanges(changes)
  const wanted = changes.flatMap(({ found }) => found).toSorted()
  try {
    const found = await until('as much to be found', async () => {
      const findings = await findingsOf(subjects, since)
      return findings.length >= wanted.length && findings
    })
    expect(found.toSorted()).toEqual(wanted)
  } finally {
    await undo()
  }
  await until('nothing to be found any more', async () => (await findingsOf(subjects, since)).length === 0)
}, 180_000)
