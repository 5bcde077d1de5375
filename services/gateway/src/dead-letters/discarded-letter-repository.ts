import type { Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { DeadLetter, DiscardedLetter } from '@filmgate/proto/operator/bus'

type Row = Omit<DiscardedLetter, 'at'> & { at: Date }

/** Again where it was interrupted before the letters were removed, or where a topic made anew counts its offsets from 0. */
export const insertDiscarded = (sql: Sql, letters: DeadLetter[], { by, reason }: { by: string; reason: string }) => sql`
  insert into discarded_letter (topic, "offset", key, event_id, consumer_group, cause, operator, reason)
  select topic, "offset", key, "eventId", "group", cause, ${by}, ${reason}
  from ${recordset(
    sql,
    'row',
    { topic: 'text', offset: 'bigint', key: 'text', eventId: 'text', group: 'text', cause: 'text' },
    letters.map(({ topic, offset, key, eventId, group, cause }) => ({
      ...{ topic, offset, group },
      ...{ key: storable(key), eventId: storable(eventId), cause: storable(cause) },
    })),
  )}
  on conflict (topic, "offset") do update set
    (key, event_id, consumer_group, cause, operator, reason, discarded_at) =
    (excluded.key, excluded.event_id, excluded.consumer_group, excluded.cause, excluded.operator, excluded.reason, now())`

/** The latest, newest first. */
export async function listDiscarded(sql: Sql, rowsMax: number): Promise<DiscardedLetter[]> {
  const rows = await sql<Row[]>`
    select topic, "offset"::text as "offset", key, event_id as "eventId", consumer_group as "group", cause, operator as by, reason, discarded_at as at
    from discarded_letter order by discarded_at desc, topic, discarded_letter."offset" desc limit ${rowsMax}`
  return rows.map(row => ({ ...row, at: row.at.toISOString() }))
}

/** Postgres takes no U+0000, which may be what the message is faulty for. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd')
