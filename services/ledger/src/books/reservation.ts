import type { ExceededBudget } from './budget'
import { openStates, type RecordedCause, type State } from './reservation-states'

export type Surface = 'api' | 'web'

/** Credits held for one task. `paid` and `starter` are what was taken from either balance. */
export type Reservation = {
  taskId: string
  accountId: string
  surface: Surface
  paid: number
  starter: number
  priceVersion: string
  /** The day in the account's time zone that its credits are counted in, for whom; null where its account had no budget. */
  spendDay: string | null
  keyId: string | null
  memberId: string | null
  state: State
  /** What came back: all of it once it is refunded, a part or nothing once it is settled, nothing before. */
  refunded: number
  reservedAtMs: number
  /** When it reached its state. */
  changedAtMs: number
  /** From then on it doesn't count towards the unfinished tasks. Null until it is in review. */
  countsUntilMs: number | null
  /** The account's paid balance right after the credits were held, and its version; null where an earlier version posted. */
  reservedAvailable: number | null
  reservedVersion: number | null
  /** The same after credits were returned, all or a part; null until then. */
  refundedAvailable: number | null
  refundedVersion: number | null
  /** The CreditsReserved event as it is published; only on a reservation that this batch makes. */
  reservedEvent?: Uint8Array | undefined
  /** Likewise: the request, for a gateway that loses the task. */
  request?: Uint8Array | undefined
}

/** A review counts at most so long, whatever its producer says: a provider's lost answer must not lock its client out. */
export const reviewCountsMsMax = 3_600_000

/** Whether it counts towards its account's unfinished tasks: while it is open, and of a review only as long as its generation may run. */
export const countsAt = (nowMs: number, { state, countsUntilMs }: Pick<Reservation, 'state' | 'countsUntilMs'>): boolean =>
  openStates.some(one => one === state) && (countsUntilMs === null || nowMs < countsUntilMs)

/** A task that counts, as a refusal names it. */
export type UnfinishedTask = Pick<Reservation, 'taskId' | 'state' | 'countsUntilMs'>

export const declineReasons = [
  'insufficient_credits',
  'unfinished_task_limit',
  'admission_expired',
  'unknown_account',
  'released',
  'budget_exceeded',
] as const
export type DeclineReason = (typeof declineReasons)[number]

/** A request that was declined, with the credits that the account had then. */
export type Declined = {
  taskId: string
  accountId: string
  reason: DeclineReason
  required: number
  available: number
  admitByMs: number
  declinedAtMs: number
  /** What the account's limit was met with. */
  unfinished?: UnfinishedTask[]
  /** The budget that refused it. */
  exceeded?: ExceededBudget
}

/** Who ended a request as an operator, and why. */
export type Release = { taskId: string; accountId: string; reason: string; by: string }

/** A verdict that can't be true together with the books. `state` is undefined where there is no such reservation of that account. */
export type Contradiction = {
  /** The task, or the grant or debit whose id was asked for with other terms. */
  taskId: string
  accountId: string
  verdict: RecordedCause | 'other_terms' | 'wrong_due_credits'
  state: State | undefined
  detail?: string
}

export const creditsOf = ({ paid, starter }: Pick<Reservation, 'paid' | 'starter'>): number => paid + starter

/** The parts of `refunded` by balance. Starter credits are spent first, so that paid ones return first. */
export function refundOf({ paid, refunded }: Pick<Reservation, 'paid' | 'refunded'>): { paid: number; starter: number } {
  const paidBack = Math.min(refunded, paid)
  return { paid: paidBack, starter: refunded - paidBack }
}
