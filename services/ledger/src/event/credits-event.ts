import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { ChangeKind, ChangeRefusal, type CreditsEventSchema, DeclineReason as WireReason } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import type { Account, CreditChange } from '../account/account'
import { creditsOf, type Declined, type DeclineReason, type Reservation } from '../reservation/reservation'

/** An event of filmgate.credits.v1 still to be written as bytes. */
export type CreditsEvent = NonNullable<MessageInitShape<typeof CreditsEventSchema>['event']>

const wireReasons: Record<DeclineReason, WireReason> = {
  insufficient_credits: WireReason.INSUFFICIENT_CREDITS,
  unfinished_task_limit: WireReason.UNFINISHED_TASK_LIMIT,
  admission_expired: WireReason.ADMISSION_EXPIRED,
  unknown_account: WireReason.UNKNOWN_ACCOUNT,
  released: WireReason.RELEASED,
}

/** Nothing was moved where the balance did not hold it. */
function refusalOf({ applied }: CreditChange, refusal?: 'other_terms'): ChangeRefusal {
  if (refusal) return ChangeRefusal.OTHER_TERMS
  return applied ? ChangeRefusal.UNSPECIFIED : ChangeRefusal.INSUFFICIENT_CREDITS
}

const about = (reservation: Reservation, at: Timestamp) => ({
  taskId: reservation.taskId,
  accountId: reservation.accountId,
  credits: BigInt(creditsOf(reservation)),
  at,
})

/** With the moment of the posting that left it so, which grows with the version. */
const balanceOf = (account: Account) => ({
  available: BigInt(account.available),
  balanceVersion: BigInt(account.balanceVersion),
  at: timestampFromMs(account.postedAtMs),
})

/** The events of one moment. */
export function creditsEvents(nowMs: number) {
  const at = timestampFromMs(nowMs)
  return {
    reserved: (order: Order, account: Account): CreditsEvent => ({
      case: 'creditsReserved',
      value: { order, ...balanceOf(account) },
    }),
    declined: ({ taskId, accountId, reason, required, available }: Declined): CreditsEvent => ({
      case: 'creditsDeclined',
      value: { taskId, accountId, reason: wireReasons[reason], required: BigInt(required), available: BigInt(available), at },
    }),
    settled: (reservation: Reservation): CreditsEvent => ({ case: 'creditsSettled', value: about(reservation, at) }),
    refundPending: (reservation: Reservation): CreditsEvent => ({ case: 'refundPending', value: about(reservation, at) }),
    refunded: (reservation: Reservation, account: Account): CreditsEvent => ({
      case: 'creditsRefunded',
      value: { ...about(reservation, at), ...balanceOf(account) },
    }),
    reviewOpened: ({ taskId, accountId }: Reservation): CreditsEvent => ({ case: 'reviewOpened', value: { taskId, accountId, at } }),
    balanceChanged: (account: Account): CreditsEvent => ({
      case: 'balanceChanged',
      value: { accountId: account.id, starter: BigInt(account.starter), ...balanceOf(account) },
    }),
    /** Where the balances after it were not kept, the account's of now, under no version. */
    changeDecided: (change: CreditChange, account: Account, refusal?: 'other_terms'): CreditsEvent => ({
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
      },
    }),
  }
}
