import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { eventKind } from '../job-kinds'
import { eventReaders, type Fact, UnreadableError } from '../stripe/facts'
import { insertEvent, type KeptEvent } from './event-repository'

export const received = counter('payment_events_received', 'Deliveries at the webhook, and unreadable events that were fetched', {
  result: ['kept', 'again', 'forged', 'unreadable'],
})

/** Of what Stripe sends, what is read here. */
export type StripeEvent = { id: string; type: string; livemode: boolean; created: number; data: { object: unknown } }

/** Keeps an event that was proven to be Stripe's, with the job that applies it, in one transaction. False where it is kept already. */
export async function receiveEvent(sql: Sql, { id, type, livemode, created, data }: StripeEvent): Promise<boolean> {
  const fact = readFact(type, data.object)
  return sql.begin(sql => keepEvent(sql, { id, type, fact, livemode, toldAt: new Date(created * 1_000) }))
}

/** Keeps what was told, with the job that applies it. False where it is kept already. */
export async function keepEvent(sql: TransactionSql, event: Omit<KeptEvent, 'appliedAt'>): Promise<boolean> {
  const { id, fact } = event
  const isNew = await insertEvent(sql, event)
  if (isNew && fact) await insertJobs(sql, [{ kind: eventKind, id, fairnessKey: keyOf(fact) }])
  return isNew
}

const keyOf = (fact: Fact): string => (fact.kind === 'reversal' ? fact.paymentIntentId : (fact.accountId ?? ''))

/** Counted at each try: Stripe tells it again, and shows it for thirty days to who asks. */
function readFact(type: string, object: unknown): Fact | null {
  try {
    return eventReaders[type]?.(object) ?? null
  } catch (error) {
    if (error instanceof UnreadableError) received.add(1, { result: 'unreadable' })
    throw error
  }
}
