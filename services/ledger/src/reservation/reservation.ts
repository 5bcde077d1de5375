import type { Heard, State } from './states'

export type Surface = 'api' | 'web'

/** Credits held for one task. `paid` and `starter` are what was taken from either balance. */
export type Reservation = {
  taskId: string
  accountId: string
  surface: Surface
  paid: number
  starter: number
  priceVersion: string
  state: State
  reservedAtMs: number
  /** When it came to its state. */
  changedAtMs: number
  /** The account's paid balance right after the credits were held, and its version; null where an earlier version posted. */
  reservedAvailable: number | null
  reservedVersion: number | null
  /** The same after they were returned; null until then. */
  refundedAvailable: number | null
  refundedVersion: number | null
  /** The event that told of it, as it went out; on a reservation that is being made. */
  reservedEvent?: Uint8Array
}

export const declineReasons = ['insufficient_credits', 'unfinished_task_limit', 'admission_expired', 'unknown_account', 'released'] as const
export type DeclineReason = (typeof declineReasons)[number]

/** A request that was told no, with what the account had then. */
export type Declined = {
  taskId: string
  accountId: string
  reason: DeclineReason
  required: number
  available: number
  admitByMs: number
  declinedAtMs: number
}

/** A request that an operator ended, by whom and why. */
export type Release = { taskId: string; accountId: string; reason: string; by: string }

/** A verdict that can't be true together with the books. `state` is undefined where there is no such reservation of that account. */
export type Contradiction = {
  /** The task, or the grant or debit whose id was asked for with other terms. */
  taskId: string
  accountId: string
  verdict: Heard | 'other_terms'
  state: State | undefined
  detail?: string
}

export const creditsOf = ({ paid, starter }: Pick<Reservation, 'paid' | 'starter'>): number => paid + starter
