import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { type Outcome, outcomes } from './apply-fact'

const eventOutcomes = counter('payment_events_applied', 'Events of Stripe by what came of them', { outcome: outcomes })
const answerOutcomes = counter('payment_answers_applied', 'Answers of Stripe about a purchase by what came of them', { outcome: outcomes })

/** Counts the outcome of a fact and logs the ones that need an operator. */
export function recordOutcome(log: Log, outcome: Outcome, of: { event: string } | { purchase: string }): void {
  ;('event' in of ? eventOutcomes : answerOutcomes).add(1, { outcome })
  if (outcome !== 'applied' && outcome !== 'not_ours') log.error({ ...of, outcome }, 'a payment needs a look: see the runbook')
}
