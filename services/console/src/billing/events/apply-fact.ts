import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { findReversal, saveReversal } from '../changes/change-repository'
import { lockPayment, planChanges, planGrant } from '../changes/plan-changes'
import type { Purchase } from '../purchases/purchase'
import { isClosed, lockPurchase, lockPurchaseOfPayment, updatePurchase } from '../purchases/purchase-repository'
import { nextState, type PurchaseWord } from '../purchases/purchase-states'
import type { Fact, PaymentFact, ReversalFact, SessionFact } from '../stripe/facts'
import { followsStatus, isMoneyOut } from '../stripe/reversal-status'

/** `other_mode`: of the test mode, and the console sells in the live one, or the other way round. `second_payment`: of a purchase that another payment has paid. `no_such_purchase`: money that came names a purchase that is not kept here, as after a restore. `reopened`: a refund or dispute that was over moves its money again. */
export const outcomes = ['applied', 'not_ours', 'no_such_purchase', 'other_mode', 'second_payment', 'in_review', 'reopened'] as const
export type Outcome = (typeof outcomes)[number]

export type Told = { fact: Fact; livemode: boolean; toldAt: Date }

/**
 * Merges what Stripe told with what is known, and plans what follows for the ledger, in one transaction. The same facts in any order, and
 * any number of times, come to the same.
 */
export function applyFact(sql: TransactionSql, { fact, livemode, toldAt }: Told): Promise<Outcome> {
  if (fact.kind === 'reversal') return applyReversal(sql, fact, livemode, toldAt)
  return applyToPurchase(sql, fact, livemode)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function applyToPurchase(sql: TransactionSql, fact: SessionFact | PaymentFact, livemode: boolean): Promise<Outcome> {
  if (!fact.purchaseId || !uuid.test(fact.purchaseId)) return 'not_ours'
  if (fact.paymentIntentId) await lockPayment(sql, fact.paymentIntentId)
  const purchase = await lockPurchase(sql, fact.purchaseId)
  if (!purchase) return livemode && hasCome(fact) && fact.accountId ? 'no_such_purchase' : 'not_ours'
  // What is bought for play must never change what is bought for money.
  if (livemode !== purchase.livemode) return 'other_mode'
  if (fact.paymentIntentId && !(await isUnused(sql, purchase, fact.paymentIntentId))) return 'second_payment'
  const [word, review] = wordOf(purchase, fact, await isClosed(sql, purchase.accountId))
  const state = nextState(purchase.state, word)
  const session = fact.kind === 'session' ? { sessionId: fact.sessionId, invoiceId: fact.invoiceId } : {}
  const isFirst = state === 'paid' && purchase.state !== 'paid'
  const payment = word === 'paid' || word === 'mismatched' ? { paymentIntentId: fact.paymentIntentId, paid: paidBy(fact) } : {}
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

/** What a grant is named for: the payment, or the checkout where there was nothing to pay. */
const grantSource = (fact: SessionFact | PaymentFact): string | null =>
  fact.kind === 'session' && isFree(fact) ? fact.sessionId : fact.paymentIntentId

const hasCome = (fact: SessionFact | PaymentFact): boolean => fact.kind === 'payment' || fact.isPaid

/** A payment pays one purchase, and a purchase is paid by one payment. */
async function isUnused(sql: TransactionSql, { id, state, paymentIntentId }: Purchase, told: string): Promise<boolean> {
  // Without a payment it was free.
  if (paymentIntentId || state === 'paid' || state === 'granted') return paymentIntentId === told
  const paid = await lockPurchaseOfPayment(sql, told)
  return paid === undefined || paid.id === id
}

function wordOf(purchase: Purchase, fact: SessionFact | PaymentFact, isClosed: boolean): [PurchaseWord, string?] {
  if (fact.kind === 'session') {
    if (fact.status === 'expired') return ['expired']
    if (fact.status === 'open') return ['opened']
    if (!fact.isPaid && !isFree(fact)) return [fact.hasFailed ? 'failed' : 'awaited']
  }
  const review = mismatchOf(purchase, fact) ?? (isClosed ? 'the account was closed before it was paid' : undefined)
  return review ? ['mismatched', review] : ['paid']
}

/** What of a payment is not as the purchase says. */
function mismatchOf(purchase: Purchase, fact: SessionFact | PaymentFact): string | undefined {
  if (!grantSource(fact)) return 'the checkout is complete without a payment'
  if (fact.accountId !== purchase.accountId) return 'the payment names another account'
  if (!isFree(fact) && (fact.amount !== purchase.amount || fact.currency !== purchase.currency))
    return 'the amount or the currency is not the pack’s'
  if (fact.kind === 'session' && purchase.sessionId && purchase.sessionId !== fact.sessionId) return 'another checkout was paid'
  return undefined
}

/** Heard of before its payment it waits for that. */
async function applyReversal(sql: TransactionSql, fact: ReversalFact, livemode: boolean, toldAt: Date): Promise<Outcome> {
  const { reversalId: id, reversal: kind, paymentIntentId, amount, currency, status } = fact
  await lockPayment(sql, paymentIntentId)
  const purchase = await lockPurchaseOfPayment(sql, paymentIntentId)
  if (purchase && purchase.livemode !== livemode) return 'other_mode'
  const known = await findReversal(sql, id)
  const later = known ? toldAt.getTime() - known.toldAt.getTime() : 0
  const isAlike = known && isMoneyOut(kind, known.status) === isMoneyOut(kind, status)
  // Where both say the same of the money what is told later stands, as of an appeal that is lost.
  const follows = known ? (isAlike && later) || followsStatus(kind, known.status, status) || later : 0
  if (follows >= 0) await saveReversal(sql, { id, kind, paymentIntentId, amount, currency, status, toldAt })
  if (purchase && (purchase.state === 'paid' || purchase.state === 'granted')) await planChanges(sql, purchase, paymentIntentId)
  if (!purchase) return 'not_ours'
  // What is told later is no late delivery: Stripe went back behind an end, which moves no credits by itself.
  return follows < 0 && later > 0 ? 'reopened' : 'applied'
}
