import { counter, histogram } from '@filmgate/kit/telemetry/metrics'
import { taskIdTimeMs } from '@filmgate/proto/task-id'
import type { BookChanges } from '../books/book-changes'
import { entryKinds } from '../books/entry'
import type { Instruction } from '../books/instruction'
import type { State } from '../books/reservation-states'

const completions = histogram(
  'ledger_completion_seconds',
  'Time from the POST until the credits of its video are settled, which is when it is shown as completed, by provider',
  [5, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400],
)
const refunds = histogram(
  'ledger_refund_seconds',
  'Time from the verdict that there is no video until the credits are returned',
  [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600, 3_600],
)

const moved = counter('ledger_credits_moved', 'Credits moved between the books, by why', { kind: entryKinds })
const earned = counter('ledger_credits_earned', 'Credits charged for videos that were delivered')

/** A transaction's entries sum to zero: what it moved is the sum of those above. */
export function countMoved({ entries }: Pick<BookChanges, 'entries'>): void {
  for (const { kind, book, credits } of entries) {
    if (credits <= 0) continue
    moved.add(credits, { kind })
    if (book === 'revenue') earned.add(credits)
  }
}

/**
 * Counts the completions that this batch settled. They begin by the gateway's clock, which the task's id has, and end by the database's:
 * FilmgateClockSkew watches that these agree.
 */
export function recordCompletions(instructions: readonly Instruction[], changes: BookChanges): void {
  const providers = new Map<string, string>()
  for (const one of instructions)
    if (one.kind === 'conclude' && one.cause === 'completed') providers.set(one.taskId, one.provider ?? 'unknown')
  for (const [taskId, provider] of providers) {
    const beganAtMs = taskIdTimeMs(taskId)
    if (beganAtMs !== undefined && endedNow(changes, taskId, 'settled'))
      completions.record(Math.max(0, changes.rules.nowMs - beganAtMs) / 1_000, { provider })
  }
}

type Refunded = { taskId: string; verdictAtMs?: number | undefined; changedAt?: Date }

/** Counts the refunds that this batch posted. Of one that a crash left pending, its wait begins when it became pending. */
export function recordRefunds(posted: readonly Refunded[], changes: BookChanges): void {
  for (const [taskId, { verdictAtMs, changedAt }] of new Map(posted.map(one => [one.taskId, one]))) {
    const sinceMs = verdictAtMs ?? changedAt?.getTime()
    if (sinceMs !== undefined && endedNow(changes, taskId, 'refunded')) refunds.record(Math.max(0, changes.rules.nowMs - sinceMs) / 1_000)
  }
}

/** False where an earlier batch ended it: the verdict was delivered again. */
function endedNow({ reservations, rules }: BookChanges, taskId: string, state: State): boolean {
  const reservation = reservations.get(taskId)
  return reservation?.state === state && reservation.changedAtMs === rules.nowMs
}
