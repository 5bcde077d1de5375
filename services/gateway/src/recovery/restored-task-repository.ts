import type { Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Tags } from '../tags/read-tags'

/** Bytes are in hex. `event`: its request, of a task that has not ended. */
export type RestoredTask = {
  id: string
  accountId: string
  keyId: string
  surface: string
  idempotencyKey: string
  fingerprint: string
  prompt: string | null
  model: string
  mode: string
  resolution: string
  billedSeconds: number
  priceVersion: string
  tags: Tags | null
  createdAt: Date
  admitBy: Date
  event: string | null
}

/**
 * Inserts those that are not there, with their accounts: one whose row was lost is named after its id until it is renamed. A key is the latest
 * task's that had it: it was free by then, also where the restored row of an earlier one still has it. Unfinished tasks get their request back, to be published again if nothing comes of them.
 */
export async function insertRestored(sql: Sql, tasks: RestoredTask[]): Promise<void> {
  await freeKeys(sql, tasks)
  await sql`
    with lost as materialized (select * from ${recordset(
      sql,
      'row',
      {
        ...{ id: 'text', accountId: 'text', keyId: 'text', surface: 'text', idempotencyKey: 'text', fingerprint: 'text', prompt: 'text' },
        ...{ model: 'text', mode: 'text', resolution: 'text', billedSeconds: 'int', priceVersion: 'text', tags: 'jsonb' },
        ...{ createdAt: 'timestamptz', admitBy: 'timestamptz', event: 'text' },
      },
      tasks,
    )} where not exists (select from task where task.id = row.id)),
    opened as (
      insert into account (id, name) select distinct "accountId", "accountId" from lost order by 1 on conflict (id) do nothing
    ), made as (
      insert into task (id, account_id, key_id, surface, idempotency_key, fingerprint, binds_key, prompt, model, mode, resolution, billed_seconds, price_version,
                        tags, created_at, updated_at, admit_by)
      select distinct on (id) id, "accountId", "keyId", surface, "idempotencyKey", decode(fingerprint, 'hex'),
             not exists (select from task as other where other.key_id = "keyId" and other.idempotency_key = "idempotencyKey" and other.binds_key)
               and not exists (select from lost as later where later."keyId" = lost."keyId" and later."idempotencyKey" = lost."idempotencyKey"
                               and later.id > lost.id),
             prompt, model, mode, resolution, "billedSeconds", "priceVersion", tags, "createdAt", "createdAt", "admitBy"
      from lost order by id
      on conflict do nothing
      returning id
    )
    insert into task_request (task_id, event, retell_at)
    select distinct on (lost.id) lost.id, decode(event, 'hex'), now() + interval '10 minutes' from lost join made on made.id = lost.id
    where event is not null order by lost.id on conflict do nothing`
}

/** A statement of its own: the index of keys that are bound would refuse the rows that follow. */
const freeKeys = (sql: Sql, tasks: RestoredTask[]) => sql`
  update task set binds_key = false
  from ${recordset(sql, 'row', { id: 'text', keyId: 'text', idempotencyKey: 'text' }, tasks)}
  where key_id = row."keyId" and idempotency_key = row."idempotencyKey" and binds_key and task.id < row.id
    and not exists (select from task as known where known.id = row.id)`
