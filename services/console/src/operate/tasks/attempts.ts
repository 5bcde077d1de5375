import { type Html, html } from '@filmgate/kit/http/html'
import { time } from '../../layout/numbers'
import { type Cell, facts, table, tag } from '../layout/parts'
import type { Attempt, DispatcherTask } from '../services/views'

/** Each attempt with what its provider answered, in the provider's words. */
export function attemptsOf(told: DispatcherTask | undefined, none: string): Html {
  const attempts = told?.attempts ?? []
  if (attempts.length === 0) return html`<p class="soft">${none}</p>`
  return html`${attempts.map(attempt => html`<section class="card attempt"><h3>Attempt ${attempt.number} at ${attempt.provider} ${tag(attempt.state)}</h3>${facts(factsOf(attempt))}</section>\n`)}`
}

const factsOf = (attempt: Attempt): [string, Cell | null][] => [
  ['What it answered', attempt.cause && html`<span class="answer">${attempt.cause}</span>`],
  ['Code', attempt.code],
  ['Its own id', attempt.provider_task_id && html`<code>${attempt.provider_task_id}</code>`],
  ['Our id', html`<code>${attempt.id}</code>`],
  ['Its model', attempt.provider_model],
  [
    'Cost',
    attempt.cost_micro_usd !== null && `${(attempt.cost_micro_usd / 1_000_000).toFixed(4)} USD (${attempt.cost_basis ?? 'unknown'})`,
  ],
  ['Sent', time(attempt.created_at)],
  ['Accepted', attempt.accepted_at && time(attempt.accepted_at)],
  ['In review since', attempt.review_since && time(attempt.review_since)],
  ['Ended', attempt.ended_at && time(attempt.ended_at)],
]

export const decisionsOf = (told: DispatcherTask | undefined): Html | false => {
  const decisions = told?.review_decisions ?? []
  return (
    decisions.length > 0 &&
    html`<h3>Decisions about its review</h3>
${table(
  'Decisions',
  ['When', 'Decision', 'Provider’s id', 'Reason', 'By'],
  decisions.map(one => [
    time(one.decided_at),
    one.decision,
    one.provider_task_id ?? '',
    html`<div class="wide-cell">${one.reason}</div>`,
    one.by ?? '',
  ]),
)}`
  )
}
