import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { type Outcome, outcomes } from './apply-fact'

const ofEvents = counter('payment_events_applied', 'Events of Stripe by what came of them', { outcome: outcomes })
const ofAnswers = counter('payment_answers_applied', 'Answers of Stripe about a purchase by what came of them', { outcome: outcomes })

/** Counts what came of a fact, and names in the log what no code decides, whether an event told it or an answer. */
export function tellOutcome(log: Log, outcome: Outcome, of: { event: string } | { purchase: string }): void {
  ;('event' in of ? ofEvents : ofAnswers).add(1, { outcome })
  if (outcome !== 'applied' && outcome !== 'not_ours') log.error({ ...of, outcome }, 'a payment needs a look: see the runbook')
}
