import type { Sql } from '@filmgate/kit/database/postgres'
import type { DatedRow } from '@filmgate/kit/operator/dated-rows'
import { type IdRange, inIdRange } from '@filmgate/kit/operator/id-range'
import type { AttemptFact, OutputFact } from '@filmgate/proto/operator/facts'

/** The last attempt of each task. */
export const listAttemptFacts = (sql: Sql, range: IdRange) =>
  sql<DatedRow<AttemptFact>[]>`
    select distinct on (task_id) task_id, account_id, state, updated_at as changed_at
    from attempt where ${inIdRange(sql, sql`task_id`, range)} order by task_id, number desc limit ${range.limit}`

/** Outputs of completed attempts that are kept for an hour yet. */
export const listOutputs = (sql: Sql, range: IdRange) =>
  sql<Omit<OutputFact, 'stored_bytes'>[]>`
    select task_id, output_key as key, output_bytes as bytes
    from attempt where state = 'completed' and output_expires_at > now() + interval '1 hour' and ${inIdRange(sql, sql`task_id`, range)}
    order by task_id limit ${range.limit}`
