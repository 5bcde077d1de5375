import type { TransactionSql } from '@filmgate/kit/database/postgres'
import type { Finding } from '../audit/check-purchase'
import { isPurchaseId } from '../purchases/purchase'
import type { PaymentFact, ReversalFact } from '../stripe/facts'
import type { ListedFact } from '../stripe/list-page'
import { matchPayments, matchReversals, type PaymentRow, type ReversalRow } from './compare-repository'
import type { Reconciliation } from './reconciliation'

/** A fact that Stripe listed, and when it was read. */
export type Listed = { fact: ListedFact; observedAt: Date }

type Run = Pick<Reconciliation, 'id' | 'livemode'>
export type Compared = Listed & {
  objectId: string
  /** Applying the fact is expected to end the difference. */
  isMissed: boolean
  finding: Finding | undefined
}

/** Compares listed facts with the stored rows. Facts of other products are left out. */
export async function compare(sql: TransactionSql, listed: Listed[], { id, livemode }: Run): Promise<Compared[]> {
  const payments = listed.filter((each): each is Listed & { fact: PaymentFact } => each.fact.kind === 'payment')
  const reversals = listed.filter((each): each is Listed & { fact: ReversalFact } => each.fact.kind === 'reversal')
  const paid = await matchPayments(
    sql,
    payments.map(({ fact: { paymentIntentId, purchaseId } }) => ({
      paymentIntentId,
      purchaseId: purchaseId && isPurchaseId(purchaseId) ? purchaseId : null,
    })),
  )
  const known = await matchReversals(
    sql,
    reversals.map(({ fact }) => fact),
    id,
  )
  const paidById = new Map(paid.map(row => [row.id, row]))
  const knownById = new Map(known.map(row => [row.id, row]))
  return [
    ...payments.flatMap(each => comparePayment(each, paidById.get(each.fact.paymentIntentId), livemode) ?? []),
    ...reversals.flatMap(each => compareReversal(each, knownById.get(each.fact.reversalId)) ?? []),
  ]
}

function comparePayment(
  { fact, observedAt }: Listed & { fact: PaymentFact },
  row: PaymentRow | undefined,
  livemode: boolean,
): Compared | undefined {
  const { paymentIntentId: objectId, amount, currency, accountId, purchaseId } = fact
  const common = { fact, observedAt, objectId }
  if (!row) return undefined
  if (row.isUnmatched) return { ...common, isMissed: false, finding: undefined }
  if (row.paidId === null) {
    // As for events: a test payment of an unknown purchase, or one without an account, is not ours.
    if (row.namedId === null && !(livemode && accountId && purchaseId && isPurchaseId(purchaseId))) return undefined
    const detail = `the payment ${objectId} of ${amount} ${currency} exists at Stripe but not here`
    return { ...common, isMissed: true, finding: { check: 'payment_missing', purchaseId: row.namedId, detail } }
  }
  const isAlike = row.amount === amount && row.currency === currency
  const detail = `the payment ${objectId} is ${amount} ${currency} at Stripe but ${row.amount} ${row.currency} here`
  const finding = isAlike ? undefined : ({ check: 'payment_differs', purchaseId: row.paidId, detail } as const)
  return { ...common, isMissed: false, finding }
}

function compareReversal({ fact, observedAt }: Listed & { fact: ReversalFact }, row: ReversalRow | undefined): Compared | undefined {
  const { reversalId: objectId, reversal: kind, amount, currency, status } = fact
  if (!row?.isOurs) return undefined
  const isAlike = row.status === status && row.amount === amount && row.currency === currency
  // A fact that was received after the list was read is newer.
  const isNewer = row.observedAt !== null && row.observedAt > observedAt
  const common = { fact, observedAt, objectId }
  if (isAlike || isNewer || row.isReopened) return { ...common, isMissed: false, finding: undefined }
  const here = row.status === null ? 'unknown' : `${row.amount} ${row.currency}, ${row.status}`
  const detail = `the ${kind} ${objectId} is ${amount} ${currency}, ${status} at Stripe but ${here} here`
  return { ...common, isMissed: true, finding: { check: 'reversal_differs', purchaseId: row.purchaseId, detail } }
}
