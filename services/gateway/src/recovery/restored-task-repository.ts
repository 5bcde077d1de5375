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
 * Inserts those that are not there, with their accounts: one whose row was lost is named after its id until it is renamed. A key that a later
 * task has taken meanwhile stays with that one. Unfinished tasks get their request back, to be published again if nothing comes of them.
 */
export async function insertRestored(sql: Sql, tasks: RestoredTask[]): Promise<void> {
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
             not exists (select from task as other where other.key_id = "keyId" and other.idempotency_key = "idempotencyKey" and other.binds_key),
             prompt, model, mode, resolution, "billedSeconds", "priceVersion", tags, "createdAt", "createdAt", "admitBy"
      from lost order by id
      on conflict do nothing
      returning id
    )
    insert into task_request (task_id, event, retell_at)
    select distinct on (lost.id) lost.id, decode(event, 'hex'), now() + interval '10 minutes' from lost join made on made.id = lost.id
    where event is not null order by lost.id on conflict do nothing`
}
