import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { encode } from '@filmgate/proto/topics'
import { type Account, postingAtMs, unfinishedMaxOf } from '../books/account'
import type { BookChanges, Outcome } from '../books/book-changes'
import type { ExceededBudget } from '../books/budget'
import { reserveEntries } from '../books/entry'
import type { Reserve } from '../books/instruction'
import { countsAt, type Declined, type DeclineReason, type Reservation } from '../books/reservation'
import { countSpend, exceededBudget } from './budgets/budget'
import { changeCredits } from './change-credits'
import { creditsDeclined, creditsReserved } from './credits-event'

/** Holds a task's credits, or declines its request. The first decision about a request stands. */
export function reserve(changes: BookChanges, request: Reserve): Outcome {
  if (changes.reservations.has(request.taskId) || changes.declined.has(request.taskId)) return 'decided_before'
  const account = changes.accounts.get(request.accountId)
  if (account && request.held) {
    holdAgain(changes, request, account, request.held)
    return 'decided'
  }
  const funds = account ? fundsFor(request, account) : { paid: 0, starter: 0 }
  const unfinished = account ? unfinishedTasks(changes, account) : []
  const exceeded = account && exceededBudget(changes, account, request, request.credits)
  const { nowMs } = changes.rules
  const reason = account
    ? refusal(request, { funds, unfinished, unfinishedMax: unfinishedMaxOf(account, changes.rules), exceeded, nowMs })
    : 'unknown_account'
  if (account && !reason) hold(changes, request, account, funds)
  else decline(changes, request, { reason: reason ?? 'unknown_account', available: funds.paid + funds.starter, unfinished, exceeded })
  return 'decided'
}

type Funds = { paid: number; starter: number }

/** Starter credits never fund the API. */
const fundsFor = ({ surface }: Reserve, { available, starter }: Account): Funds => ({
  paid: available,
  starter: surface === 'web' ? starter : 0,
})

/** Those that count, the first to stop counting first. Below the limit with all that are open, it is not looked for them. */
function unfinishedTasks({ rules, reservations }: BookChanges, account: Account): Reservation[] {
  const { id, unfinished } = account
  if (unfinished < unfinishedMaxOf(account, rules)) return []
  const until = ({ countsUntilMs }: Reservation) => countsUntilMs ?? Number.MAX_SAFE_INTEGER
  return [...reservations.values()]
    .filter(one => one.accountId === id && countsAt(rules.nowMs, one))
    .sort((one, other) => until(one) - until(other) || one.reservedAtMs - other.reservedAtMs)
}

type Standing = {
  funds: Funds
  unfinished: Reservation[]
  unfinishedMax: number
  exceeded: ExceededBudget | undefined
  nowMs: number
}

/** Limit and budgets are checked before the balance: a client that meets one should not be told to buy credits. */
function refusal(request: Reserve, { funds, unfinished, unfinishedMax, exceeded, nowMs }: Standing): DeclineReason | undefined {
  if (nowMs > request.admitByMs) return 'admission_expired'
  if (unfinished.length >= unfinishedMax) return 'unfinished_task_limit'
  if (exceeded) return 'budget_exceeded'
  if (request.credits > funds.paid + funds.starter) return 'insufficient_credits'
  return undefined
}

/**
 * Holds what was held before the books were restored, whatever its limits are and however late: a provider may be making the video. What the
 * paid balance lacks, where a refund of the lost time has not come again, is granted before and owed afterwards.
 */
function holdAgain(changes: BookChanges, request: Reserve, account: Account, held: NonNullable<Reserve['held']>): void {
  const { accountId, taskId, traceparent } = request
  const starter = Math.min(held.starter, account.starter)
  const short = request.credits - starter - account.available
  const advance = (kind: 'grant' | 'debit') => {
    const reason = `advanced for ${taskId}, which a restore lost`
    const terms = { accountId, balance: 'paid' as const, credits: short + account.owed, reason, operator: 'ledger' }
    const change = { ...terms, id: `restored:${taskId}:${kind}`, kind, beyondBalance: kind === 'debit' }
    changeCredits(changes, { kind: `${kind}_credits`, accountId, change, traceparent })
  }
  if (short > 0) advance('grant')
  hold(changes, request, changes.accounts.get(accountId) ?? account, { paid: request.credits - starter, starter })
  if (short > 0) advance('debit')
}

function hold(changes: BookChanges, request: Reserve, account: Account, funds: Funds): void {
  const { taskId, accountId, surface, priceVersion, credits, order, traceparent } = request
  const starter = Math.min(credits, funds.starter)
  const after: Account = {
    ...account,
    available: account.available - (credits - starter),
    starter: account.starter - starter,
    unfinished: account.unfinished + 1,
    balanceVersion: account.balanceVersion + 1,
    postedAtMs: postingAtMs(account, changes.rules.nowMs),
  }
  const event = creditsReserved(order, starter, after)
  // Of a task that has ended the order is not whole, and nobody may go on from it.
  const bytes = request.held?.ended ? undefined : encode(CreditsEventSchema, { event })
  const { nowMs } = changes.rules
  const at = { reservedAtMs: nowMs, changedAtMs: nowMs, countsUntilMs: null }
  const spendDay = countSpend(changes, after, request, credits, traceparent)
  const { keyId, memberId } = spendDay === null ? { keyId: null, memberId: null } : request
  const terms = { taskId, accountId, surface, paid: credits - starter, starter, priceVersion, spendDay, keyId, memberId }
  const balance = {
    reservedAvailable: after.available,
    reservedVersion: after.balanceVersion,
    refundedAvailable: null,
    refundedVersion: null,
  }
  const reservation: Reservation = {
    ...terms,
    ...at,
    ...balance,
    state: 'reserved',
    refunded: 0,
    reservedEvent: bytes,
    request: request.request,
  }
  changes.accounts.set(accountId, after)
  changes.reservations.set(taskId, reservation)
  changes.tasksWithEvents.add(taskId)
  changes.entries.push(...reserveEntries(reservation, after))
  if (bytes) changes.events.push({ accountId, event, bytes, traceparent })
  // CreditsReserved states the paid balance only.
  if (starter > 0 || !bytes) changes.unpublishedBalances.set(accountId, traceparent)
}

/** Of the tasks that count, so many are named. */
const unfinishedNamedMax = 10

type Refusal = { reason: DeclineReason; available: number; unfinished: Reservation[]; exceeded: ExceededBudget | undefined }

function decline(changes: BookChanges, request: Reserve, { reason, available, unfinished, exceeded }: Refusal): void {
  const { taskId, accountId, credits, admitByMs, traceparent } = request
  const named = unfinished.slice(0, unfinishedNamedMax).map(({ taskId, state, countsUntilMs }) => ({ taskId, state, countsUntilMs }))
  const declined: Declined = {
    ...{ taskId, accountId, reason, required: credits, available, admitByMs, declinedAtMs: changes.rules.nowMs },
    ...(reason === 'unfinished_task_limit' && { unfinished: named }),
    ...(reason === 'budget_exceeded' && exceeded && { exceeded }),
  }
  changes.declined.set(taskId, declined)
  changes.tasksWithEvents.add(taskId)
  changes.events.push({ accountId, event: creditsDeclined(declined), traceparent })
}
