import type { Account } from '../account/account'
import type { Draft, Rules } from '../batch/draft'
import type { Reserve } from '../batch/instruction'
import { reserveEntries } from '../entry/entry'
import type { DeclineReason, Reservation } from './reservation'

/**
 * Holds a task's credits, or declines it. A request delivered before is left alone: its first decision stands, and its event
 * was committed with it.
 */
export function reserve(draft: Draft, request: Reserve): void {
  if (draft.reservations.has(request.taskId) || draft.declined.has(request.taskId)) return
  const account = draft.accounts.get(request.accountId)
  const funds = account ? fundsFor(request, account) : { paid: 0, starter: 0 }
  const reason = account ? refusal(request, account, funds, draft.rules) : 'unknown_account'
  if (account && !reason) hold(draft, request, account, funds)
  else decline(draft, request, reason ?? 'unknown_account', funds.paid + funds.starter)
}

type Funds = { paid: number; starter: number }

/** Starter credits never fund the API. */
const fundsFor = ({ surface }: Reserve, { available, starter }: Account): Funds => ({
  paid: available,
  starter: surface === 'web' ? starter : 0,
})

/** The limit is asked before the balance: a client at its limit should not be told to buy credits. */
function refusal(request: Reserve, account: Account, funds: Funds, rules: Rules): DeclineReason | undefined {
  if (rules.nowMs > request.admitByMs) return 'admission_expired'
  if (account.unfinished >= rules.unfinishedMax) return 'unfinished_task_limit'
  if (request.credits > funds.paid + funds.starter) return 'insufficient_credits'
  return undefined
}

function hold(draft: Draft, request: Reserve, account: Account, funds: Funds): void {
  const { taskId, accountId, surface, priceVersion, credits, order, traceparent } = request
  const starter = Math.min(credits, funds.starter)
  const reservation: Reservation = { taskId, accountId, surface, paid: credits - starter, starter, priceVersion, state: 'reserved' }
  const after: Account = {
    id: account.id,
    available: account.available - reservation.paid,
    starter: account.starter - starter,
    unfinished: account.unfinished + 1,
    balanceVersion: account.balanceVersion + 1,
  }
  draft.accounts.set(accountId, after)
  draft.reservations.set(taskId, reservation)
  draft.entries.push(...reserveEntries(reservation))
  draft.sent.push({ accountId, event: draft.events.reserved(order, after), traceparent })
  // CreditsReserved tells the paid balance only.
  if (starter > 0) draft.untold.set(accountId, traceparent)
}

function decline(draft: Draft, request: Reserve, reason: DeclineReason, available: number): void {
  const { taskId, accountId, credits, admitByMs, traceparent } = request
  const declined = { taskId, accountId, reason, required: credits, available, admitByMs }
  draft.declined.set(taskId, declined)
  draft.sent.push({ accountId, event: draft.events.declined(declined), traceparent })
}
