import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { encode } from '@filmgate/proto/topics'
import { type Account, postingAtMs } from '../account/account'
import type { Draft, Rules } from '../batch/draft'
import type { Reserve } from '../batch/instruction'
import { reserveEntries } from '../entry/entry'
import type { DeclineReason, Reservation } from './reservation'
import { retell } from './retell'

/** Holds a task's credits, or declines it. The first decision about a request stands: delivered again, that one is told again. */
export function reserve(draft: Draft, request: Reserve): void {
  if (draft.reservations.has(request.taskId) || draft.declined.has(request.taskId)) return void retell(draft, request)
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
  const after: Account = {
    id: account.id,
    available: account.available - (credits - starter),
    starter: account.starter - starter,
    unfinished: account.unfinished + 1,
    balanceVersion: account.balanceVersion + 1,
    postedAtMs: postingAtMs(account, draft.rules.nowMs),
  }
  const event = draft.events.reserved(order, after)
  const reservedEvent = encode(CreditsEventSchema, { event })
  const { nowMs } = draft.rules
  const at = { reservedAtMs: nowMs, changedAtMs: nowMs }
  const held = { taskId, accountId, surface, paid: credits - starter, starter, priceVersion }
  const left = { reservedAvailable: after.available, reservedVersion: after.balanceVersion, refundedAvailable: null, refundedVersion: null }
  const reservation: Reservation = { ...held, ...at, ...left, state: 'reserved', reservedEvent }
  draft.accounts.set(accountId, after)
  draft.reservations.set(taskId, reservation)
  draft.toldTasks.add(taskId)
  draft.entries.push(...reserveEntries(reservation, after))
  draft.sent.push({ accountId, event, bytes: reservedEvent, traceparent })
  // CreditsReserved tells the paid balance only.
  if (starter > 0) draft.untold.set(accountId, traceparent)
}

function decline(draft: Draft, request: Reserve, reason: DeclineReason, available: number): void {
  const { taskId, accountId, credits, admitByMs, traceparent } = request
  const declined = { taskId, accountId, reason, required: credits, available, admitByMs, declinedAtMs: draft.rules.nowMs }
  draft.declined.set(taskId, declined)
  draft.toldTasks.add(taskId)
  draft.sent.push({ accountId, event: draft.events.declined(declined), traceparent })
}
