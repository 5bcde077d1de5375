import type { Incoming } from '@filmgate/kit/bus'
import type { Log } from '@filmgate/kit/log'
import { counter, histogram } from '@filmgate/kit/metrics'
import { completeRefunds } from '../reservation/complete-refunds'
import { declineReasons } from '../reservation/reservation'
import { heards, states } from '../reservation/states'
import type { Draft } from './draft'
import type { Instruction } from './instruction'
import { type PostDeps, post } from './post'

const posted = counter('ledger_instructions', 'Instructions posted to the books, by kind', {
  kind: ['open_account', 'grant_credits', 'debit_credits', 'report_reuse', 'reserve', 'conclude', 'retell', 'release'],
})
const declined = counter('ledger_declined', 'Requests declined, by reason', { reason: declineReasons })
const toldAgain = counter('ledger_told_again', 'Events sent once more because a request or a verdict was delivered again')
const contradictions = counter('ledger_contradictions', 'Verdicts that contradict the books', {
  verdict: [...heards, 'other_terms'],
  state: [...states, 'none'],
})
const batchSize = histogram('ledger_batch_instructions', 'Instructions posted in one transaction', [1, 4, 16, 64, 256, 1024])

/** Posts all that was delivered at one moment, then at once the refunds it made due. Delivered again, it changes nothing. */
export async function handleEvents(deps: PostDeps & { log: Log }, messages: Incoming<Instruction | undefined>[]): Promise<void> {
  const instructions: Instruction[] = []
  for (const { event, traceparent } of messages) if (event) instructions.push({ ...event, traceparent })
  if (instructions.length === 0) return
  const draft = await post(deps, instructions)
  report(deps.log, instructions, draft)
  await completeRefunds(deps, refundsDue(instructions, draft))
}

/** What a verdict of this batch made due, and what an earlier delivery of it left pending. */
const refundsDue = (instructions: Instruction[], draft: Draft) =>
  instructions
    .filter(one => one.kind === 'conclude')
    .filter(({ taskId, accountId }) => {
      const reservation = draft.reservations.get(taskId)
      return reservation?.state === 'refund_pending' && reservation.accountId === accountId
    })

function report(log: Log, instructions: Instruction[], draft: Draft): void {
  batchSize.record(instructions.length)
  for (const [kind, some] of Map.groupBy(instructions, one => one.kind)) posted.add(some.length, { kind })
  for (const one of draft.declined.values()) if (one.declinedAtMs === draft.rules.nowMs) declined.add(1, { reason: one.reason })
  if (draft.toldAgain > 0) toldAgain.add(draft.toldAgain)
  for (const one of draft.contradictions) {
    contradictions.add(1, { verdict: one.verdict, state: one.state ?? 'none' })
    log.error(
      { task_id: one.taskId, account_id: one.accountId, verdict: one.verdict, state: one.state, detail: one.detail },
      'a verdict contradicts the books',
    )
  }
}
