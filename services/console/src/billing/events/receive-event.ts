import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { eventKind } from '../job-kinds'
import { eventReaders, type Fact, UnreadableError } from '../stripe/facts'
import { insertEvent, type StoredEvent } from './event-repository'

export const received = counter('payment_events_received', 'Webhook deliveries, and fetched events that can’t be parsed', {
  result: ['kept', 'again', 'forged', 'unreadable'],
})

/** The fields of Stripe's event that are used here. */
export type StripeEvent = { id: string; type: string; livemode: boolean; created: number; data: { object: unknown } }

/** Stores a verified event together with the job that applies it. Returns false if it was stored before. */
export async function receiveEvent(sql: Sql, { id, type, livemode, created, data }: StripeEvent): Promise<boolean> {
  const fact = readFact(type, data.object)
  return sql.begin(sql => storeEvent(sql, { id, type, fact, livemode, observedAt: new Date(created * 1_000) }))
}

/** Stores a fact together with the job that applies it. Returns false if it was stored before. */
export async function storeEvent(sql: TransactionSql, event: Omit<StoredEvent, 'appliedAt'>): Promise<boolean> {
  const { id, fact } = event
  const isNew = await insertEvent(sql, event)
  if (isNew && fact) await insertJobs(sql, [{ kind: eventKind, id, fairnessKey: fairnessKeyOf(fact) }])
  return isNew
}

const fairnessKeyOf = (fact: Fact): string => (fact.kind === 'reversal' ? fact.paymentIntentId : (fact.accountId ?? ''))

/** Counts each failed read: Stripe delivers the event again and lists it for thirty days. */
function readFact(type: string, object: unknown): Fact | null {
  try {
    return eventReaders[type]?.(object) ?? null
  } catch (error) {
    if (error instanceof UnreadableError) received.add(1, { result: 'unreadable' })
    throw error
  }
}
