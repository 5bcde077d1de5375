/**
 * The statuses of refunds and disputes in their order, with whether the money is with the customer or the bank. A late
 * delivery never undoes a newer status: the higher position wins. https://docs.stripe.com/api/refunds/object,
 * https://docs.stripe.com/disputes/how-disputes-work
 */
const statuses = {
  refund: {
    pending: [0, true],
    requires_action: [0, true],
    succeeded: [1, true],
    canceled: [2, false],
    failed: [2, false],
  },
  dispute: {
    // An inquiry: no money is withdrawn.
    warning_needs_response: [0, false],
    warning_under_review: [1, false],
    warning_closed: [2, false],
    needs_response: [3, true],
    under_review: [4, true],
    prevented: [5, false],
    // Stripe's `prevented` if the money went back to the customer, see `facts.ts`.
    prevented_paid_back: [5, true],
    lost: [5, true],
    appeal_needs_response: [6, true],
    appeal_under_review: [7, true],
    won: [8, false],
  },
} as const satisfies Record<string, Record<string, readonly [place: number, isOut: boolean]>>

export type ReversalKind = keyof typeof statuses

const rowOf = (kind: ReversalKind, status: string): readonly [number, boolean] | undefined =>
  (statuses[kind] as Record<string, readonly [number, boolean]>)[status]

export const isReversalStatus = (kind: ReversalKind, status: string): boolean => rowOf(kind, status) !== undefined

/** Positive if status `next` comes after `known`. Equal positions are decided by the time of observation. */
export const followsStatus = (kind: ReversalKind, known: string, next: string): number =>
  (rowOf(kind, next)?.[0] ?? 0) - (rowOf(kind, known)?.[0] ?? 0)

/** Whether the customer has the money, or the bank holds it, in this status. */
export const isMoneyOut = (kind: ReversalKind, status: string): boolean => rowOf(kind, status)?.[1] ?? false
