import { termsPaid } from '../changes/plan-changes'
import { creditsOf, moneyOutOf, type Reversal } from '../changes/plan-reversals'
import type { Purchase } from '../purchases/purchase'

/** What its money and its credits are read of. */
export type AuditedPurchase = Pick<
  Purchase,
  'id' | 'state' | 'credits' | 'amount' | 'currency' | 'paidAmount' | 'paidCurrency' | 'paymentIntentId'
>
/** `waitedSeconds`: its age where the ledger has not applied it. */
export type AuditedChange = { id: string; kind: 'grant' | 'debit'; credits: number; state: string; waitedSeconds: number | null }
export type PurchaseRows = { purchase: AuditedPurchase; reversals: Reversal[]; changes: AuditedChange[] }

/** The last five are what reconciliations with Stripe left. */
export type Finding = {
  check:
    | ('credits_differ' | 'change_unpaid' | 'counted_differs' | 'change_waits')
    | ('payment_missing' | 'payment_differs' | 'reversal_differs' | 'not_listed' | 'unreadable')
  /** Nothing where money went back of a payment that is no purchase's. */
  purchaseId: string | null
  detail: string
}

/** A change is decided within moments; FilmgatePaymentsWait is told of it long before. */
const waitedSecondsMax = 3_600

/**
 * What of a purchase's rows breaks a rule: payments − refunds − disputes = grants − debits, of the rows as they are kept, each refund and
 * dispute counted as its status says, and nothing moved or counted without a payment.
 */
export function judgePurchase({ purchase, reversals, changes }: PurchaseRows): Finding[] {
  const { id: purchaseId, state } = purchase
  const terms = termsPaid(purchase)
  const isPaid = state === 'paid' || state === 'granted'
  const money = moneyOutOf(terms, reversals).map(({ reversal, counted }) => ({ reversal, counted: isPaid ? counted : 0 }))
  const left = terms.credits - creditsOf(terms, sumOf(money.map(({ counted }) => counted)))
  const moved = sumOf(changes.map(({ kind, credits }) => (kind === 'grant' ? credits : -credits)))
  const found: Omit<Finding, 'purchaseId'>[] = []
  if (isPaid && moved !== left)
    found.push({ check: 'credits_differ', detail: `its money leaves ${left} credits, its grants less its debits are ${moved}` })
  if (!isPaid && changes.length > 0)
    found.push({ check: 'change_unpaid', detail: `it is ${state} and has changes: ${changes.map(({ id }) => id).join(', ')}` })
  for (const { reversal, counted } of money)
    if (reversal.counted !== counted) found.push({ check: 'counted_differs', detail: countedDetail(reversal, counted) })
  for (const { id, kind, state, waitedSeconds } of changes)
    if (waitedSeconds !== null && waitedSeconds > waitedSecondsMax)
      found.push({ check: 'change_waits', detail: `the ${kind} ${id} is ${state} for ${Math.floor(waitedSeconds)} s` })
  return found.map(({ check, detail }) => ({ check, purchaseId, detail }))
}

/** Money that went back of a payment that paid no purchase counts for nothing. */
export const judgeUnsold = (reversal: Pick<Reversal, 'id' | 'kind' | 'counted'>): Finding[] =>
  reversal.counted === 0 ? [] : [{ check: 'counted_differs', purchaseId: null, detail: countedDetail(reversal, 0) }]

const countedDetail = ({ id, kind, counted }: Pick<Reversal, 'id' | 'kind' | 'counted'>, expected: number): string =>
  `the ${kind} ${id} is counted with ${counted}, not ${expected}`

const sumOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)
