import { isMoneyOut, type ReversalKind } from '../stripe/reversal-status'

export type Reversal = {
  id: string
  kind: ReversalKind
  amount: number
  currency: string
  /** An amount in another currency, converted to the payment's currency; null if unknown. */
  converted?: number | null
  status: string
  /** The amount that the existing changes account for. */
  counted: number
  changes: number
}

export type Terms = { credits: number; amount: number; currency: string }
export type PlannedChange = { id: string; kind: 'grant' | 'debit'; credits: number; reason: string }
export type ReversalPlan = { changes: PlannedChange[]; counted: Pick<Reversal, 'id' | 'counted' | 'changes'>[] }

/**
 * Plans the debits and grants that align the credits of a purchase with its money. Credits follow from the total of all
 * reversed amounts, so that parts always sum to the whole, in any order.
 */
export function planReversals(terms: Terms, reversals: Reversal[]): ReversalPlan {
  let out = reversals.reduce((sum, { counted }) => sum + counted, 0)
  const plan: ReversalPlan = { changes: [], counted: [] }
  const counts = moneyOutOf(terms, reversals).filter(({ reversal, counted }) => counted !== reversal.counted)
  // Increases first, so that money moving from a dispute to its refund changes no credits in between.
  for (const { reversal, counted } of counts.toSorted((a, b) => increaseOf(b) - increaseOf(a))) {
    const before = creditsOf(terms, out)
    out += counted - reversal.counted
    const credits = creditsOf(terms, out) - before
    const changes = reversal.changes + (credits === 0 ? 0 : 1)
    plan.counted.push({ id: reversal.id, counted, changes })
    if (credits === 0) continue
    plan.changes.push({
      id: `stripe:${reversal.id}${changes === 1 ? '' : `:${changes}`}`,
      kind: credits > 0 ? 'debit' : 'grant',
      credits: Math.abs(credits),
      reason: `${reversal.kind} ${reversal.id} is ${reversal.status}`,
    })
  }
  return plan
}

type Counted = { reversal: Reversal; counted: number }
const increaseOf = ({ reversal, counted }: Counted): number => counted - reversal.counted

/**
 * The reversed amount of each reversal. Money that was paid back to prevent a dispute counts once if a refund of the
 * same amount exists.
 */
export function moneyOutOf(terms: Terms, reversals: Reversal[]): Counted[] {
  const refunds = reversals.filter(({ kind, status }) => kind === 'refund' && isMoneyOut(kind, status))
  return reversals.map(reversal => {
    const refundIndex = reversal.status === 'prevented_paid_back' ? refunds.findIndex(refund => isSameMoney(terms, reversal, refund)) : -1
    if (refundIndex >= 0) refunds.splice(refundIndex, 1)
    return { reversal, counted: refundIndex >= 0 ? 0 : moneyOut(terms, reversal) }
  })
}

/** A share is rounded in two currencies, so amounts within one percent count as equal. */
function isSameMoney(terms: Terms, dispute: Reversal, refund: Reversal): boolean {
  if (dispute.currency === refund.currency) return dispute.amount === refund.amount
  const [disputed, refunded] = [dispute, refund].map(each => moneyOut(terms, each)) as [number, number]
  return disputed > 0 && Math.abs(disputed - refunded) <= refunded / 100
}

/** An amount in another currency counts with its converted share. */
const moneyOut = (terms: Terms, { kind, status, amount, currency, converted }: Reversal): number =>
  !isMoneyOut(kind, status) ? 0 : currency === terms.currency ? amount : (converted ?? 0)

/** Money is reversed, and its share of the payment is unknown. */
export const isUnconverted = (terms: Terms, { kind, status, currency, converted }: Reversal): boolean =>
  isMoneyOut(kind, status) && currency !== terms.currency && (converted ?? null) === null

/**
 * Whether all money of an ungranted payment was sent back. Amounts in other currencies are never converted for such a
 * payment and count as the whole.
 */
export function isWhollyOut(terms: Terms, reversals: Reversal[]): boolean {
  const known = reversals.map(each => (each.currency === terms.currency ? each : { ...each, converted: terms.amount }))
  return terms.amount > 0 && moneyOutOf(terms, known).reduce((sum, { counted }) => sum + counted, 0) >= terms.amount
}

/**
 * Whole credits, rounded in the customer's favour and limited to those bought: refund and dispute may both return the
 * money. A free purchase has nothing to reverse.
 */
export const creditsOf = ({ credits, amount }: Terms, out: number): number =>
  amount === 0 ? 0 : Math.min(credits, Number((BigInt(credits) * BigInt(out)) / BigInt(amount)))
