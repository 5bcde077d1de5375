import type { Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import { attemptJob } from '../attempt/jobs'
import type { OrderEvent } from '../attempt/order'

/** A provider's own words, under its signature: the submit of this attempt is known there under that id. */
export type CalledBack = { attemptId: string; provider: string; providerTaskId: string }

/**
 * Keeps, with its job, the id that its provider named for an attempt whose own is not known; the last one named stands. Any other attempt is left alone.
 * Whoever holds the job goes on holding it.
 */
export async function keepCalledBackIds(sql: Sql, calledBack: CalledBack[]): Promise<void> {
  await sql`
    with named as (
      select job.id, given."providerTaskId"
      from ${recordset(sql, 'given', { attemptId: 'text', provider: 'text', providerTaskId: 'text' }, calledBack)}
      join attempt on attempt.id = given."attemptId" and attempt.provider = given.provider
        and attempt.provider_task_id is null and attempt.state in ('sending', 'unknown')
      join job on job.kind = ${attemptJob} and job.id = attempt.id
      order by job.id for update of job
    )
    update job set payload = job.payload || jsonb_build_object('calledBackAs', named."providerTaskId")
    from named where job.kind = ${attemptJob} and job.id = named.id`
}

/** The event that brought the order of an attempt whose provider's answer is not known. */
export async function findOrderEvent(sql: Sql, id: string): Promise<OrderEvent | undefined> {
  const [row] = await sql<
    OrderEvent[]
  >`select order_topic as topic, order_event as bytes from attempt where id = ${id} and order_event is not null`
  return row
}
