import type { Sql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { eventKind } from '../job-kinds'
import { eventReaders, type Fact } from '../stripe/facts'
import { insertEvent } from './event-repository'

/** Of what Stripe sends, what is read here. */
export type StripeEvent = { id: string; type: string; livemode: boolean; created: number; data: { object: unknown } }

/** Keeps an event that was proven to be Stripe's, with the job that applies it, in one transaction. False where it is kept already. */
export async function receiveEvent(sql: Sql, { id, type, livemode, created, data }: StripeEvent): Promise<boolean> {
  const fact: Fact | null = eventReaders[type]?.(data.object) ?? null
  return sql.begin(async sql => {
    const isNew = await insertEvent(sql, { id, type, fact, livemode, toldAt: new Date(created * 1_000) })
    if (isNew && fact) await insertJobs(sql, [{ kind: eventKind, id, fairnessKey: keyOf(fact) }])
    return isNew
  })
}

const keyOf = (fact: Fact): string => (fact.kind === 'reversal' ? fact.paymentIntentId : (fact.accountId ?? ''))
