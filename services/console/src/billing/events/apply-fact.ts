import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { findReversal, saveReversal } from '../changes/change-repository'
import { lockPayment, planChanges, planGrant } from '../changes/plan-changes'
import { isPurchaseId, type Purchase } from '../purchases/purchase'
import { isClosed, lockPurchase, lockPurchaseOfPayment, updatePurchase } from '../purchases/purchase-repository'
import { nextState, type PurchaseEvent } from '../purchases/purchase-states'
import type { Fact, PaymentFact, ReversalFact, SessionFact } from '../stripe/facts'
import { followsStatus, isMoneyOut } from '../stripe/reversal-status'

/**
 * `other_mode`: the event's mode (test or live) is not the purchase's. `second_payment`: another payment has paid the
 * purchase. `no_such_purchase`: a payment names a purchase that isn't stored here, as after a restore. `reopened`: an
 * ended refund or dispute moves money again.
 */
export const outcomes = ['applied', 'not_ours', 'no_such_purchase', 'other_mode', 'second_payment', 'in_review', 'reopened'] as const
export type Outcome = (typeof outcomes)[number]

export type FactInput = { fact: Fact; livemode: boolean; observedAt: Date }

/**
 * Merges a fact from Stripe with what is stored and plans the ledger changes, in one transaction. The result doesn't
 * depend on the order or the number of deliveries.
 */
export function applyFact(sql: TransactionSql, { fact, livemode, observedAt }: FactInput): Promise<Outcome> {
  if (fact.kind === 'reversal') return applyReversal(sql, fact, livemode, observedAt)
  return applyToPurchase(sql, fact, livemode)
}

async function applyToPurchase(sql: TransactionSql, fact: SessionFact | PaymentFact, livemode: boolean): Promise<Outcome> {
  if (!fact.purchaseId || !isPurchaseId(fact.purchaseId)) return 'not_ours'
  if (fact.paymentIntentId) await lockPayment(sql, fact.paymentIntentId)
  const purchase = await lockPurchase(sql, fact.purchaseId)
  if (!purchase) return livemode && isReceived(fact) && fact.accountId ? 'no_such_purchase' : 'not_ours'
  // A test-mode payment must never change a live purchase.
  if (livemode !== purchase.livemode) return 'other_mode'
  if (fact.paymentIntentId && !(await isUnused(sql, purchase, fact.paymentIntentId))) return 'second_payment'
  const [event, review] = purchaseEventOf(purchase, fact, await isClosed(sql, purchase.accountId))
  const state = nextState(purchase.state, event)
  const session = fact.kind === 'session' ? { sessionId: fact.sessionId, invoiceId: fact.invoiceId } : {}
  const isFirst = state === 'paid' && purchase.state !== 'paid'
  const payment = event === 'paid' || event === 'mismatched' ? { paymentIntentId: fact.paymentIntentId, paid: paidBy(fact) } : {}
  await updatePurchase(sql, purchase.id, { ...session, state, review, ...payment })
  const source = grantSource(fact)
  if (isFirst && source) await planGrant(sql, { ...purchase, paidAmount: fact.amount }, source)
  return state === 'review' ? 'in_review' : 'applied'
}

const paidBy = (fact: SessionFact | PaymentFact) => {
  const { amount, currency } = fact
  return grantSource(fact) && amount !== null && currency ? { amount, currency } : undefined
}

const isFree = (fact: SessionFact | PaymentFact): boolean => fact.kind === 'session' && fact.isFree === true

/** The id that a grant is named after: the payment, or the checkout if it was free. */
const grantSource = (fact: SessionFact | PaymentFact): string | null =>
  fact.kind === 'session' && isFree(fact) ? fact.sessionId : fact.paymentIntentId

const isReceived = (fact: SessionFact | PaymentFact): boolean => fact.kind === 'payment' || fact.isPaid

/** A payment pays one purchase, and a purchase is paid by one payment. */
async function isUnused(sql: TransactionSql, { id, state, paymentIntentId }: Purchase, paidById: string): Promise<boolean> {
  // A paid purchase without a payment was free.
  if (paymentIntentId || state === 'paid' || state === 'granted') return paymentIntentId === paidById
  const paid = await lockPurchaseOfPayment(sql, paidById)
  return paid === undefined || paid.id === id
}

function purchaseEventOf(purchase: Purchase, fact: SessionFact | PaymentFact, isClosed: boolean): [PurchaseEvent, string?] {
  if (fact.kind === 'session') {
    if (fact.status === 'expired') return ['expired']
    if (fact.status === 'open') return ['opened']
    if (!fact.isPaid && !isFree(fact)) return [fact.hasFailed ? 'failed' : 'awaited']
  }
  const review = mismatchOf(purchase, fact) ?? (isClosed ? 'the account was closed before it was paid' : undefined)
  return review ? ['mismatched', review] : ['paid']
}

/** Returns how a payment differs from its purchase. */
function mismatchOf(purchase: Purchase, fact: SessionFact | PaymentFact): string | undefined {
  if (!grantSource(fact)) return 'the checkout is complete without a payment'
  if (fact.accountId !== purchase.accountId) return 'the payment names another account'
  if (!isFree(fact) && (fact.amount !== purchase.amount || fact.currency !== purchase.currency))
    return 'the amount or the currency differs from the pack'
  if (fact.kind === 'session' && purchase.sessionId && purchase.sessionId !== fact.sessionId) return 'another checkout was paid'
  return undefined
}

/** A reversal that arrives before its payment is stored and applied with it. */
async function applyReversal(sql: TransactionSql, fact: ReversalFact, livemode: boolean, observedAt: Date): Promise<Outcome> {
  const { reversalId: id, reversal: kind, paymentIntentId, amount, currency, status } = fact
  await lockPayment(sql, paymentIntentId)
  const purchase = await lockPurchaseOfPayment(sql, paymentIntentId)
  if (purchase && purchase.livemode !== livemode) return 'other_mode'
  const known = await findReversal(sql, id)
  const later = known ? observedAt.getTime() - known.observedAt.getTime() : 0
  const isAlike = known && isMoneyOut(kind, known.status) === isMoneyOut(kind, status)
  // If both statuses mean the same for the money, the later observation wins. Example: a lost appeal.
  const follows = known ? (isAlike && later) || followsStatus(kind, known.status, status) || later : 0
  if (follows >= 0) await saveReversal(sql, { id, kind, paymentIntentId, amount, currency, status, observedAt })
  if (purchase && (purchase.state === 'paid' || purchase.state === 'granted')) await planChanges(sql, purchase, paymentIntentId)
  if (!purchase) return 'not_ours'
  // This is not a late delivery: Stripe reopened an ended reversal. Credits don't change by themselves.
  return follows < 0 && later > 0 ? 'reopened' : 'applied'
}
