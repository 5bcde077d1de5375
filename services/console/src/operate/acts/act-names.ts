import type { Role } from '@filmgate/kit/environment/operator-environment'

/** What operators do here: the role that it needs, and how the log says it. */
export const actNames = {
  account_opened: ['money', 'opened an account'],
  key_created: ['money', 'created a key'],
  key_rotated: ['money', 'rotated a key'],
  credits_granted: ['money', 'granted credits'],
  credits_debited: ['money', 'debited credits'],
  change_approved: ['money', 'approved a grant or a debit'],
  contradiction_acknowledged: ['money', 'acknowledged a contradiction'],
  purchase_accepted: ['money', 'accepted a purchase'],
  dispute_converted: ['money', 'set the share of a dispute'],
  payments_reconciled: ['support', 'had payments reconciled with Stripe'],
  key_revoked: ['support', 'revoked a key'],
  task_retold: ['support', 'had a task told again'],
  task_released: ['support', 'released a task'],
  review_accepted: ['support', 'accepted a review'],
  review_refunded: ['support', 'refunded a review'],
  review_retried: ['support', 'had a review tried again'],
  letters_replayed: ['support', 'replayed dead letters'],
  provider_closed: ['support', 'had a provider’s silence believed'],
  books_audited: ['support', 'had the books audited'],
} as const satisfies Record<string, readonly [Role, string]>

export type ActName = keyof typeof actNames

export const roleFor = (act: ActName): Role => actNames[act][0]
