import { termsPaid } from '../changes/plan-changes'
import { creditsOf, moneyOutOf, type Reversal } from '../changes/plan-reversals'
import type { Purchase } from '../purchases/purchase'

/** The fields that the audit compares. */
export type AuditedPurchase = Pick<
  Purchase,
  'id' | 'state' | 'credits' | 'amount' | 'currency' | 'paidAmount' | 'paidCurrency' | 'paymentIntentId'
>
/** `waitedSeconds`: the age of a change that the ledger has not applied, else null. */
export type AuditedChange = { id: string; kind: 'grant' | 'debit'; credits: number; state: string; waitedSeconds: number | null }
export type PurchaseRows = { purchase: AuditedPurchase; reversals: Reversal[]; changes: AuditedChange[] }

/** The last five come from reconciliations with Stripe. */
export type Finding = {
  check:
    | ('credits_differ' | 'change_unpaid' | 'counted_differs' | 'change_waits')
    | ('payment_missing' | 'payment_differs' | 'reversal_differs' | 'not_listed' | 'unreadable')
  /** Null for a reversal of a payment that belongs to no purchase. */
  purchaseId: string | null
  detail: string
}

/** The ledger normally decides within seconds. FilmgatePaymentsWait fires long before this. */
const waitedSecondsMax = 3_600

/**
 * Checks a purchase's rows: payments − refunds − disputes must equal grants − debits. Each refund and dispute must be
 * counted as its status says, and nothing may be granted or counted without a payment.
 */
export function checkPurchase({ purchase, reversals, changes }: PurchaseRows): Finding[] {
  const { id: purchaseId, state } = purchase
  const terms = termsPaid(purchase)
  const isPaid = state === 'paid' || state === 'granted'
  const money = moneyOutOf(terms, reversals).map(({ reversal, counted }) => ({ reversal, counted: isPaid ? counted : 0 }))
  const left = terms.credits - creditsOf(terms, sumOf(money.map(({ counted }) => counted)))
  const moved = sumOf(changes.map(({ kind, credits }) => (kind === 'grant' ? credits : -credits)))
  const found: Omit<Finding, 'purchaseId'>[] = []
  if (isPaid && moved !== left)
    found.push({ check: 'credits_differ', detail: `expected ${left} credits, but grants minus debits are ${moved}` })
  if (!isPaid && changes.length > 0)
    found.push({ check: 'change_unpaid', detail: `it has the status ${state} but has changes: ${changes.map(({ id }) => id).join(', ')}` })
  for (const { reversal, counted } of money)
    if (reversal.counted !== counted) found.push({ check: 'counted_differs', detail: countedDetail(reversal, counted) })
  for (const { id, kind, state, waitedSeconds } of changes)
    if (waitedSeconds !== null && waitedSeconds > waitedSecondsMax)
      found.push({ check: 'change_waits', detail: `the ${kind} ${id} has been ${state} for ${Math.floor(waitedSeconds)} s` })
  return found.map(({ check, detail }) => ({ check, purchaseId, detail }))
}

/** A reversal of a payment that paid no purchase must count for nothing. */
export const checkUnsoldReversal = (reversal: Pick<Reversal, 'id' | 'kind' | 'counted'>): Finding[] =>
  reversal.counted === 0 ? [] : [{ check: 'counted_differs', purchaseId: null, detail: countedDetail(reversal, 0) }]

const countedDetail = ({ id, kind, counted }: Pick<Reversal, 'id' | 'kind' | 'counted'>, expected: number): string =>
  `the ${kind} ${id} is counted as ${counted} instead of ${expected}`

const sumOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)
