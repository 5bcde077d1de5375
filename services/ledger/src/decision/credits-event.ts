import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  ChangeKind,
  ChangeRefusal,
  BudgetPeriod as WirePeriod,
  DeclineReason as WireReason,
} from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { Balance, type GenerationRequestedSchema, BudgetScope as WireScope } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import type { Account, CreditChange } from '../books/account'
import type { CreditsEvent } from '../books/book-changes'
import type { Budget, BudgetPeriod, BudgetScope, Crossed, ExceededBudget } from '../books/budget'
import { creditsOf, type Declined, type DeclineReason, type Reservation, refundOf } from '../books/reservation'

const wireReasons: Record<DeclineReason, WireReason> = {
  insufficient_credits: WireReason.INSUFFICIENT_CREDITS,
  unfinished_task_limit: WireReason.UNFINISHED_TASK_LIMIT,
  admission_expired: WireReason.ADMISSION_EXPIRED,
  unknown_account: WireReason.UNKNOWN_ACCOUNT,
  released: WireReason.RELEASED,
  budget_exceeded: WireReason.BUDGET_EXCEEDED,
}

const wireScopes: Record<BudgetScope, WireScope> = { key: WireScope.KEY, member: WireScope.MEMBER, account: WireScope.ACCOUNT }
const wirePeriods: Record<BudgetPeriod, WirePeriod> = { total: WirePeriod.TOTAL, day: WirePeriod.DAY, month: WirePeriod.MONTH }

export const creditsReserved = (order: Order, starter: number, account: Account): CreditsEvent => ({
  case: 'creditsReserved',
  value: { order, starter: BigInt(starter), ...balanceOf(account) },
})

export const taskRecorded = (
  request: MessageInitShape<typeof GenerationRequestedSchema>,
  { starter, account, open }: { starter: number; account: Account; open: boolean },
): CreditsEvent => ({ case: 'taskRecorded', value: { request, open, starter: BigInt(starter), ...balanceOf(account) } })

export const creditsDeclined = ({
  taskId,
  accountId,
  reason,
  required,
  available,
  declinedAtMs,
  unfinished = [],
  exceeded,
}: Declined): CreditsEvent => ({
  case: 'creditsDeclined',
  value: {
    taskId,
    accountId,
    reason: wireReasons[reason],
    required: BigInt(required),
    available: BigInt(available),
    at: timestampFromMs(declinedAtMs),
    unfinished: unfinished.map(one => ({ taskId: one.taskId, billingStatus: one.state, ...countsUntil(one) })),
    ...(exceeded && { exceeded: wireExceeded(exceeded) }),
  },
})

const wireExceeded = ({ scope, period, left, resetsAtMs }: ExceededBudget) => ({
  ...{ scope: wireScopes[scope], period: wirePeriods[period], left: BigInt(left) },
  ...(resetsAtMs !== null && { resetsAt: timestampFromMs(resetsAtMs) }),
})

const countsUntil = ({ countsUntilMs }: Pick<Reservation, 'countsUntilMs'>) =>
  countsUntilMs === null ? {} : { countsUntil: timestampFromMs(countsUntilMs) }

/** The event of the state that a reservation has come to since it was made. `account`: right after the posting that returned credits. */
export function stateEvent(reservation: Reservation, account: Account): CreditsEvent | undefined {
  const { taskId, accountId, state, changedAtMs } = reservation
  switch (state) {
    case 'reserved':
      return undefined
    case 'review':
      return { case: 'reviewOpened', value: { taskId, accountId, at: timestampFromMs(changedAtMs), ...countsUntil(reservation) } }
    case 'refund_pending':
      return { case: 'refundPending', value: heldCredits(reservation) }
    case 'settled':
      return creditsSettled(reservation, account)
    case 'refunded':
      return {
        case: 'creditsRefunded',
        value: { ...heldCredits(reservation), starter: BigInt(reservation.starter), ...balanceOf(account) },
      }
  }
}

function creditsSettled(reservation: Reservation, account: Account): CreditsEvent {
  const { refunded } = reservation
  const value = { ...heldCredits(reservation), credits: BigInt(creditsOf(reservation) - refunded) }
  if (refunded === 0) return { case: 'creditsSettled', value }
  const returned = { refunded: BigInt(refunded), refundedStarter: BigInt(refundOf(reservation).starter) }
  return { case: 'creditsSettled', value: { ...value, ...returned, ...balanceOf(account) } }
}

export const balanceChanged = (account: Account): CreditsEvent => ({
  case: 'balanceChanged',
  value: { accountId: account.id, starter: BigInt(account.starter), owed: BigInt(account.owed), ...balanceOf(account) },
})

/** What a subject has spent in the periods of now. */
export type SpentNow = { total: number; day: { label: string; spent: number }; month: { label: string; spent: number } }

export const budgetSpent = (
  { accountId, scope, subjectId, version }: Budget,
  { balanceVersion }: Account,
  { total, day, month }: SpentNow,
  crossed: Crossed[],
  nowMs: number,
): CreditsEvent => ({
  case: 'budgetSpent',
  value: {
    ...{ accountId, scope: wireScopes[scope], subjectId, version: BigInt(version), balanceVersion: BigInt(balanceVersion) },
    at: timestampFromMs(nowMs),
    totalSpent: BigInt(total),
    ...{ day: day.label, daySpent: BigInt(day.spent), month: month.label, monthSpent: BigInt(month.spent) },
    crossed: crossed.map(({ period, percent, cap, spent }) => ({
      ...{ period: wirePeriods[period], percent, cap: BigInt(cap), spent: BigInt(spent) },
    })),
  },
})

/** With the balances right after the change; where they were not kept, with those of now and no version. */
export const creditsChangeDecided = (change: CreditChange, account: Account, refusal?: 'other_terms'): CreditsEvent => ({
  case: 'creditsChangeDecided',
  value: {
    changeId: change.id,
    accountId: change.accountId,
    kind: change.kind === 'grant' ? ChangeKind.GRANT : ChangeKind.DEBIT,
    balance: change.balance === 'paid' ? Balance.PAID : Balance.STARTER,
    credits: BigInt(change.credits),
    applied: change.applied,
    refusal: refusalOf(change, refusal),
    available: BigInt((change.after ?? account).available),
    starter: BigInt((change.after ?? account).starter),
    balanceVersion: BigInt(change.after?.balanceVersion ?? 0),
    at: timestampFromMs(change.decidedAtMs),
    reason: change.reason,
    owed: BigInt(change.owed),
    beyondBalance: change.beyondBalance,
  },
})

/** A change that was not applied had too few credits to take, unless its id was known with other terms. */
function refusalOf({ applied }: CreditChange, refusal?: 'other_terms'): ChangeRefusal {
  if (refusal) return ChangeRefusal.OTHER_TERMS
  return applied ? ChangeRefusal.UNSPECIFIED : ChangeRefusal.INSUFFICIENT_CREDITS
}

const heldCredits = (reservation: Reservation) => ({
  taskId: reservation.taskId,
  accountId: reservation.accountId,
  credits: BigInt(creditsOf(reservation)),
  at: timestampFromMs(reservation.changedAtMs),
})

/** With the moment of the posting that left it so, which grows with the version. */
const balanceOf = (account: Account) => ({
  available: BigInt(account.available),
  balanceVersion: BigInt(account.balanceVersion),
  at: timestampFromMs(account.postedAtMs),
})
