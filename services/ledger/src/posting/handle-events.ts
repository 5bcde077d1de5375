import type { Incoming } from '@filmgate/kit/bus/bus'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, histogram } from '@filmgate/kit/telemetry/metrics'
import type { BookChanges } from '../books/book-changes'
import type { Instruction } from '../books/instruction'
import { declineReasons } from '../books/reservation'
import { recordedCauses, states } from '../books/reservation-states'
import { completeRefunds } from './complete-refunds'
import { countMoved, recordCompletions } from './measure-ends'
import { type PostDeps, post } from './post'

const posted = counter('ledger_instructions', 'Instructions posted to the books, by kind', {
  kind: [
    'open_account',
    'set_limits',
    'grant_credits',
    'debit_credits',
    'report_reuse',
    'set_budget',
    'raise_version',
    'reserve',
    'conclude',
    'replay',
    'release',
  ],
})
const declined = counter('ledger_declined', 'Requests declined, by reason', { reason: declineReasons })
const replayed = counter(
  'ledger_events_replayed',
  'Events published again because a request or a verdict was delivered again, or an operator asked',
)
const contradictions = counter('ledger_contradictions', 'Verdicts that contradict the books', {
  verdict: [...recordedCauses, 'other_terms', 'wrong_due_credits'],
  state: [...states, 'none'],
})
const batchSize = histogram('ledger_batch_instructions', 'Instructions posted in one transaction', [1, 4, 16, 64, 256, 1024])

/** Posts everything that was delivered together, and then the refunds that it made due. Delivered again, it changes nothing. */
export async function handleEvents(deps: PostDeps & { log: Log }, messages: Incoming<Instruction | undefined>[]): Promise<void> {
  const instructions: Instruction[] = []
  for (const { event, traceparent } of messages) if (event) instructions.push({ ...event, traceparent })
  if (instructions.length === 0) return
  const changes = await post(deps, instructions)
  report(deps.log, instructions, changes)
  countMoved(changes)
  recordCompletions(instructions, changes)
  await completeRefunds(deps, refundsDue(instructions, changes))
}

/** Refunds that a verdict of this batch made due, or that an earlier delivery of it left pending. */
const refundsDue = (instructions: Instruction[], changes: BookChanges) =>
  instructions
    .filter(one => one.kind === 'conclude')
    .filter(({ taskId, accountId }) => {
      const reservation = changes.reservations.get(taskId)
      return reservation?.state === 'refund_pending' && reservation.accountId === accountId
    })

function report(log: Log, instructions: Instruction[], changes: BookChanges): void {
  batchSize.record(instructions.length)
  for (const [kind, some] of Map.groupBy(instructions, one => one.kind)) posted.add(some.length, { kind })
  for (const one of changes.declined.values()) if (one.declinedAtMs === changes.rules.nowMs) declined.add(1, { reason: one.reason })
  if (changes.eventsReplayed > 0) replayed.add(changes.eventsReplayed)
  for (const one of changes.contradictions) {
    contradictions.add(1, { verdict: one.verdict, state: one.state ?? 'none' })
    log.error(
      { task_id: one.taskId, account_id: one.accountId, verdict: one.verdict, state: one.state, detail: one.detail },
      'a verdict contradicts the books',
    )
  }
}
