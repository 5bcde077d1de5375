import { type Html, html } from '@filmgate/kit/http/html'
import type { Attempt, DispatcherTask } from '@filmgate/proto/operator/attempt'
import { time } from '../../layout/numbers'
import { type Cell, facts, table, tag } from '../layout/parts'

/** Each attempt with the provider's answer, unchanged. */
export function attemptsOf(response: DispatcherTask | undefined, none: string): Html {
  const attempts = response?.attempts ?? []
  if (attempts.length === 0) return html`<p class="soft">${none}</p>`
  return html`${attempts.map(attempt => html`<section class="card attempt"><h3>Attempt ${attempt.number} at ${attempt.provider} ${tag(attempt.state)}</h3>${facts(factsOf(attempt))}</section>\n`)}`
}

const factsOf = (attempt: Attempt): [string, Cell | null][] => [
  ['Answer', attempt.cause && html`<span class="answer">${attempt.cause}</span>`],
  [
    'Waiting for',
    attempt.waiting_for &&
      html`the ${attempt.waiting_for.what} until ${time(attempt.waiting_for.until)}${attempt.waiting_for.cause !== null && html`: ${attempt.waiting_for.cause}`}`,
  ],
  ['Code', attempt.code],
  ['Provider’s id', attempt.provider_task_id && html`<code>${attempt.provider_task_id}</code>`],
  ['Our id', html`<code>${attempt.id}</code>`],
  ['Provider’s model', attempt.provider_model],
  [
    'Cost',
    typeof attempt.cost_micro_usd === 'number' &&
      `${(attempt.cost_micro_usd / 1_000_000).toFixed(4)} USD (${attempt.cost_basis ?? 'unknown'})`,
  ],
  ['Sent', time(attempt.created_at)],
  ['Accepted', attempt.accepted_at && time(attempt.accepted_at)],
  ['In review since', attempt.review_since && time(attempt.review_since)],
  ['Ended', attempt.ended_at && time(attempt.ended_at)],
]

export const decisionsOf = (response: DispatcherTask | undefined): Html | false => {
  const decisions = response?.review_decisions ?? []
  return (
    decisions.length > 0 &&
    html`<h3>Review decisions</h3>
${table(
  'Decisions',
  ['Time', 'Decision', 'Provider’s id', 'Reason', 'Operator'],
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
