import type { Role } from '@filmgate/kit/environment/operator-environment'

/** Operator actions: the required role, and the text of the audit log. */
export const operatorActions = {
  account_opened: ['money', 'opened an account'],
  key_created: ['money', 'created a key'],
  key_rotated: ['money', 'rotated a key'],
  credits_granted: ['money', 'granted credits'],
  credits_debited: ['money', 'debited credits'],
  change_approved: ['money', 'approved a grant or a debit'],
  reviews_approved: ['money', 'approved a bulk end of reviews'],
  contradiction_acknowledged: ['money', 'acknowledged a contradiction'],
  purchase_accepted: ['money', 'accepted a purchase'],
  dispute_converted: ['money', 'set the share of a dispute'],
  payments_reconciled: ['support', 'reconciled payments with Stripe'],
  key_revoked: ['support', 'revoked a key'],
  task_replayed: ['support', 'replayed a task'],
  task_released: ['support', 'released a task'],
  review_accepted: ['support', 'accepted a review'],
  review_refunded: ['support', 'refunded a review'],
  review_retried: ['support', 'retried a review'],
  reviews_ended: ['support', 'requested a bulk end of reviews'],
  reviews_continued: ['support', 'continued a bulk end of reviews'],
  letters_replayed: ['support', 'replayed dead letters'],
  letters_discarded: ['support', 'discarded a dead letter'],
  provider_closed: ['support', 'treated a provider’s unknown tasks as lost'],
  provider_paused: ['support', 'paused new orders of a provider'],
  provider_resumed: ['support', 'resumed new orders of a provider'],
  books_audited: ['support', 'audited the books'],
} as const satisfies Record<string, readonly [Role, string]>

export type OperatorActionName = keyof typeof operatorActions

export const requiredRole = (action: OperatorActionName): Role => operatorActions[action][0]
