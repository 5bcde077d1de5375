import type { Tags } from '../tags/read-tags'

/**
 * How far a task has come. Events of different topics arrive in any order, so a phase only ever gives way to one of higher rank;
 * phases of the last rank end the task.
 */
export const phases = {
  admitting: 0,
  uncertain: 1,
  accepted: 2,
  copying: 3,
  completed: 4,
  /** Failed at its provider, after acceptance. */
  failed: 4,
  /** Failed before acceptance, after credits were reserved. */
  refused: 4,
  /** Refused before credits were reserved: no task for its client. */
  declined: 4,
} as const
export type Phase = keyof typeof phases

/** Of the steps admission, making, copying and booking, those that are done. No provider's own percent: few tell one, and it decides nothing. */
export const stepsDone: Partial<Record<Phase, number>> = { admitting: 0, accepted: 0.25, copying: 0.5, completed: 0.75 }

/** The contract's billing_status, ranked likewise. */
export const billingStatuses = { reserved: 1, review: 2, refund_pending: 3, settled: 4, refunded: 4 } as const
export type BillingStatus = keyof typeof billingStatuses

/** Where a generation was asked for. The API doesn't show what was asked for in the console. */
export type Surface = 'api' | 'web'

/** The form of an Idempotency-Key in the contract. */
export const idempotencyKeyForm = /^[a-zA-Z0-9._:-]{1,160}$/

/** Retry-After of a task that is shown as `processing`: the pace that the contract recommends. */
export const pollSeconds = '10'

/** What was delivered, as it was measured. `shortfalls`: duration, resolution or audio, where less came than was ordered. */
export type Delivery = {
  duration_ms: number
  width: number
  height: number
  frame_rate: number
  video_codec: string
  has_audio: boolean
  shortfalls: string[]
}

/** A task that counts towards its account's limit, as a refusal names it. `until`: when a review stops counting. */
export type UnfinishedTask = { task_id: string; billing_status: string; until?: string }

/** A task as the gateway keeps it. Credits are whole; times are UTC. */
export type Task = {
  id: string
  accountId: string
  keyId: string
  surface: Surface
  fingerprint: Buffer
  model: string
  mode: string
  phase: Phase
  billingStatus: BillingStatus | null
  creditsUsed: number
  creditsRefunded: number
  videoUrl: string | null
  errorCode: string | null
  errorMessage: string | null
  errorDetails: object | null
  /** Why the last cancel that was asked for did not end it; null where none was asked for, or it is not decided. */
  cancelRefusal: string | null
  createdAt: Date
  updatedAt: Date
  admitBy: Date
  /** Of the first request under its Idempotency-Key; null where it had none. */
  tags: Tags | null
}

/**
 * Completed and failed are shown once the ledger has ended the reservation too, so that a client never reads "failed" beside
 * credits still held, nor "completed" beside a charge not yet made.
 */
export function shownStatus(task: Pick<Task, 'phase' | 'billingStatus'>): 'processing' | 'completed' | 'failed' {
  if (task.phase === 'completed') return task.billingStatus === 'settled' ? 'completed' : 'processing'
  if (task.phase === 'failed' || task.phase === 'refused')
    return task.billingStatus === 'refund_pending' || task.billingStatus === 'refunded' ? 'failed' : 'processing'
  return 'processing'
}

/**
 * The billing_status beside that status. The ledger's last event can arrive before the dispatcher's; until both have, the task is shown
 * with its credits held.
 */
export function shownBilling(task: Pick<Task, 'phase' | 'billingStatus' | 'creditsRefunded'>): {
  billing: BillingStatus | null
  creditsRefunded: number
} {
  const { billingStatus, creditsRefunded } = task
  if (billingStatus === null || billingStatus === 'review' || shownStatus(task) !== 'processing')
    return { billing: billingStatus, creditsRefunded }
  return { billing: task.phase === 'uncertain' ? 'review' : 'reserved', creditsRefunded: 0 }
}
