import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { type Outcome, outcomes } from './apply-fact'

const eventOutcomes = counter('payment_events_applied', 'Stripe events by outcome', { outcome: outcomes })
const answerOutcomes = counter('payment_answers_applied', 'Stripe answers about a purchase by outcome', { outcome: outcomes })

/** Counts the outcome of a fact and logs the ones that need an operator. */
export function recordOutcome(log: Log, outcome: Outcome, of: { event: string } | { purchase: string }): void {
  ;('event' in of ? eventOutcomes : answerOutcomes).add(1, { outcome })
  if (outcome !== 'applied' && outcome !== 'not_ours') log.error({ ...of, outcome }, 'payment needs an operator: see the runbook')
}
