import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { TransactionSql } from '@filmgate/kit/database/postgres'
import type { Send } from '@filmgate/kit/outbox/outbox'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import { uuidv7 } from 'uuidv7'
import { insertCancelEvents, markCancelRequested } from './cancel-repository'

/** `client`: over the API; `person`: in the console; `deadline`: of the request's own header. */
export const cancellers = ['client', 'person', 'operator', 'deadline'] as const
export type Canceller = (typeof cancellers)[number]

const requested = counter('cancels_requested', 'Cancels handed to the dispatcher, by who asked', { by: cancellers })

export type RequestCancelsDeps = { topicPrefix: string; now(): Date }

/** Asks the dispatcher to end these tasks, in the caller's transaction. What has ended or is asked about already is left alone. */
export async function requestCancels(
  { topicPrefix, now }: RequestCancelsDeps,
  { sql, send }: { sql: TransactionSql; send: Send },
  ids: string[],
  by: Canceller,
): Promise<void> {
  const marked = await markCancelRequested(sql, ids)
  if (marked.length === 0) return
  const tasks = marked.map(task => ({ ...task, eventId: uuidv7() }))
  const events = tasks.map(({ id: taskId, eventId }) => ({ taskId, eventId }))
  await insertCancelEvents(sql, events, by)
  const at = timestampFromDate(now())
  send(
    tasks.map(({ id: taskId, accountId, model, eventId }) => {
      const value = encode(topics.requests.schema, { event: { case: 'cancelRequested', value: { taskId, accountId, model, at } } })
      return { topic: topicName(topicPrefix, 'requests'), key: accountId, value, eventId }
    }),
  )
  requested.add(tasks.length, { by })
}
