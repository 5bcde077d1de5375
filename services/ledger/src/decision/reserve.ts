import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { encode } from '@filmgate/proto/topics'
import { type Account, postingAtMs, unfinishedMaxOf } from '../books/account'
import type { BookChanges, Outcome } from '../books/book-changes'
import type { ExceededBudget } from '../books/budget'
import { reserveEntries } from '../books/entry'
import type { Reserve } from '../books/instruction'
import { countsAt, type Declined, type DeclineReason, type Reservation } from '../books/reservation'
import { countSpend, exceededBudget } from './budgets/budget'
import { creditsDeclined, creditsReserved } from './credits-event'

/** Holds a task's credits, or declines its request. The first decision about a request stands. */
export function reserve(changes: BookChanges, request: Reserve): Outcome {
  if (changes.reservations.has(request.taskId) || changes.declined.has(request.taskId)) return 'decided_before'
  const account = changes.accounts.get(request.accountId)
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
  const reservedEvent = encode(CreditsEventSchema, { event })
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
  const reservation: Reservation = { ...terms, ...at, ...balance, state: 'reserved', refunded: 0, reservedEvent }
  changes.accounts.set(accountId, after)
  changes.reservations.set(taskId, reservation)
  changes.tasksWithEvents.add(taskId)
  changes.entries.push(...reserveEntries(reservation, after))
  changes.events.push({ accountId, event, bytes: reservedEvent, traceparent })
  // CreditsReserved states the paid balance only.
  if (starter > 0) changes.unpublishedBalances.set(accountId, traceparent)
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
