import type { TransactionSql } from '@filmgate/kit/database/postgres'
import type { Finding } from '../audit/judge-purchase'
import type { PaymentFact, ReversalFact } from '../stripe/facts'
import type { ListedFact } from '../stripe/list-page'
import { matchPayments, matchReversals, type PaymentRow, type ReversalRow } from './compare-repository'
import type { Reconciliation } from './reconciliation'

/** What Stripe listed, and when it was asked. */
export type Listed = { fact: ListedFact; toldAt: Date }

type Run = Pick<Reconciliation, 'id' | 'livemode'>
export type Compared = Listed & {
  objectId: string
  /** Applying it is expected to end the difference. */
  isMissed: boolean
  finding: Finding | undefined
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Holds what was listed against what is kept here. What is of no purchase of ours is left out. */
export async function compare(sql: TransactionSql, listed: Listed[], { id, livemode }: Run): Promise<Compared[]> {
  const payments = listed.filter((each): each is Listed & { fact: PaymentFact } => each.fact.kind === 'payment')
  const reversals = listed.filter((each): each is Listed & { fact: ReversalFact } => each.fact.kind === 'reversal')
  const paid = await matchPayments(
    sql,
    payments.map(({ fact: { paymentIntentId, purchaseId } }) => ({
      paymentIntentId,
      purchaseId: purchaseId && uuid.test(purchaseId) ? purchaseId : null,
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
  { fact, toldAt }: Listed & { fact: PaymentFact },
  row: PaymentRow | undefined,
  livemode: boolean,
): Compared | undefined {
  const { paymentIntentId: objectId, amount, currency, accountId, purchaseId } = fact
  const common = { fact, toldAt, objectId }
  if (!row) return undefined
  if (row.isUnmatched) return { ...common, isMissed: false, finding: undefined }
  if (row.paidId === null) {
    // As when it is told: play money for what isn't kept here, and what names no account, is not ours.
    if (row.namedId === null && !(livemode && accountId && purchaseId && uuid.test(purchaseId))) return undefined
    const detail = `the payment ${objectId} of ${amount} ${currency} is at Stripe and not here`
    return { ...common, isMissed: true, finding: { check: 'payment_missing', purchaseId: row.namedId, detail } }
  }
  const isAlike = row.amount === amount && row.currency === currency
  const detail = `the payment ${objectId} is of ${amount} ${currency} at Stripe, of ${row.amount} ${row.currency} here`
  const finding = isAlike ? undefined : ({ check: 'payment_differs', purchaseId: row.paidId, detail } as const)
  return { ...common, isMissed: false, finding }
}

function compareReversal({ fact, toldAt }: Listed & { fact: ReversalFact }, row: ReversalRow | undefined): Compared | undefined {
  const { reversalId: objectId, reversal: kind, amount, currency, status } = fact
  if (!row?.isOurs) return undefined
  const isAlike = row.status === status && row.amount === amount && row.currency === currency
  // What was heard of since Stripe was asked is newer.
  const isNewer = row.toldAt !== null && row.toldAt > toldAt
  const common = { fact, toldAt, objectId }
  if (isAlike || isNewer || row.isReopened) return { ...common, isMissed: false, finding: undefined }
  const here = row.status === null ? 'not known' : `of ${row.amount} ${row.currency} and ${row.status}`
  const detail = `the ${kind} ${objectId} is of ${amount} ${currency} and ${status} at Stripe, ${here} here`
  return { ...common, isMissed: true, finding: { check: 'reversal_differs', purchaseId: row.purchaseId, detail } }
}
