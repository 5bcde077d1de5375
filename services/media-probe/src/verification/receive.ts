import type { Incoming } from '@filmgate/kit/bus/bus'
import type { Sql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import type { CreditsEvent } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { verifyJob } from './jobs'
import { type ReplayDeps, replay } from './replay'
import { insertVerifications } from './verification-repository'

export type ReceiveDeps = ReplayDeps & { sql: Sql; wake(): void }

/**
 * Inserts each new reserved order that has inputs; replays the decision of a known one.
 * The dispatcher reads orders without inputs itself.
 */
export async function receive({ sql, wake, ...deps }: ReceiveDeps, messages: Incoming<CreditsEvent>[]): Promise<void> {
  const received = new Map(
    messages.flatMap(({ event: { event }, traceparent }) => {
      const order = event.case === 'creditsReserved' ? event.value.order : undefined
      return order && order.inputs.length > 0 ? [[order.taskId, { order, traceparent }] as const] : []
    }),
  )
  if (received.size === 0) return
  const fresh = await sql.begin(async sql => {
    const orders = [...received.values()]
    const fresh = await insertVerifications(
      sql,
      orders.map(({ order }) => order),
    )
    const jobs = orders.filter(({ order }) => fresh.has(order.taskId)).map(({ order, traceparent }) => verifyJob(order, traceparent))
    if (jobs.length > 0) await insertJobs(sql, jobs)
    return fresh
  })
  wake()
  const known = [...received.keys()].filter(taskId => !fresh.has(taskId))
  if (known.length > 0) await replay(deps, known)
}
