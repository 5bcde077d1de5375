import type { DatabaseOwner } from '@filmgate/tools/stack/contents/database-owners'
import { withDatabase } from './servers'

/**
 * What clients, people or money depend on: of each table the expression that makes a row one, null for rows that nobody
 * misses. A task that is being admitted was told to nobody: its client asks again.
 */
const tables: Record<DatabaseOwner, Record<string, string>> = {
  gateway: {
    account: 'id',
    api_key: 'id',
    task: `case when phase not in ('admitting', 'declined') then id end`,
    usage_entry: 'concat(task_id, kind)',
  },
  ledger: { account: 'id', credit_grant: 'id', reservation: 'task_id', entry: 'concat(source_id, kind, book)' },
  dispatcher: { attempt: 'id' },
  'media-probe': { decision: 'task_id' },
  console: { person: 'id', account: 'id', purchase: 'id::text' },
  webhooks: { endpoint: 'id', delivery: 'concat(endpoint_id, event_id)' },
}

export type Rows = Map<string, Set<string>>

/** The rows of a database by their tables. */
export const rowsOf = (owner: DatabaseOwner): Promise<Rows> =>
  withDatabase(owner, async sql => {
    const rows: Rows = new Map()
    for (const [table, key] of Object.entries(tables[owner])) {
      const found = await sql.unsafe<{ key: string | null }[]>(`select ${key} as key from ${table}`)
      rows.set(table, new Set(found.flatMap(({ key }) => key ?? [])))
    }
    return rows
  })

/** How many rows of each table `now` lacks of those that were there before. */
export const missing = (before: Rows, now: Rows): Map<string, number> =>
  new Map([...before].map(([table, keys]) => [table, keys.difference(now.get(table) ?? new Set()).size]))
