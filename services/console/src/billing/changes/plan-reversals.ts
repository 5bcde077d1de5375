import { isMoneyOut, type ReversalKind } from '../stripe/reversal-status'

export type Reversal = {
  id: string
  kind: ReversalKind
  amount: number
  currency: string
  /**
   * Of an amount in another currency: what it is of the payment, in the payment's currency; null while that is not
   * known.
   */
  converted?: number | null
  status: string
  /** The amount that the changes made so far count it with. */
  counted: number
  changes: number
}

export type Terms = { credits: number; amount: number; currency: string }
export type PlannedChange = { id: string; kind: 'grant' | 'debit'; credits: number; reason: string }
export type ReversalPlan = { changes: PlannedChange[]; counted: Pick<Reversal, 'id' | 'counted' | 'changes'>[] }

/**
 * The debits and grants that bring the credits of a purchase to what its money says. Amounts add up: the credits taken are always the whole
 * credits that all money that is out stands for, so that parts never sum to more or less than the whole, in whatever order they are told.
 */
export function planReversals(terms: Terms, reversals: Reversal[]): ReversalPlan {
  let out = reversals.reduce((sum, { counted }) => sum + counted, 0)
  const plan: ReversalPlan = { changes: [], counted: [] }
  const counts = moneyOutOf(terms, reversals).filter(({ reversal, counted }) => counted !== reversal.counted)
  // More first: money that moves from a dispute to its refund takes and gives nothing on the way.
  for (const { reversal, counted } of counts.toSorted((a, b) => moreOf(b) - moreOf(a))) {
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
const moreOf = ({ reversal, counted }: Counted): number => counted - reversal.counted

/**
 * What of the money is out by each. What was paid back to prevent a dispute is out once, where a refund of that amount
 * tells of it as well.
 */
export function moneyOutOf(terms: Terms, reversals: Reversal[]): Counted[] {
  const refunds = reversals.filter(({ kind, status }) => kind === 'refund' && isMoneyOut(kind, status))
  return reversals.map(reversal => {
    const told = reversal.status === 'prevented_paid_back' ? refunds.findIndex(refund => isSameMoney(terms, reversal, refund)) : -1
    if (told >= 0) refunds.splice(told, 1)
    return { reversal, counted: told >= 0 ? 0 : moneyOut(terms, reversal) }
  })
}

/** A share is rounded in two currencies, so it is the refund's amount to a hundredth. */
function isSameMoney(terms: Terms, dispute: Reversal, refund: Reversal): boolean {
  if (dispute.currency === refund.currency) return dispute.amount === refund.amount
  const [disputed, refunded] = [dispute, refund].map(each => moneyOut(terms, each)) as [number, number]
  return disputed > 0 && Math.abs(disputed - refunded) <= refunded / 100
}

/** An amount in another currency counts with its share of the payment. */
const moneyOut = (terms: Terms, { kind, status, amount, currency, converted }: Reversal): number =>
  !isMoneyOut(kind, status) ? 0 : currency === terms.currency ? amount : (converted ?? 0)

/** Money is out, and what it is of the payment is not known. */
export const isUnconverted = (terms: Terms, { kind, status, currency, converted }: Reversal): boolean =>
  isMoneyOut(kind, status) && currency !== terms.currency && (converted ?? null) === null

/**
 * Nothing is left here of a payment that nothing was granted for. Of such a one nobody asks what an amount in another
 * currency is of the payment: it is taken as the whole.
 */
export function isWhollyOut(terms: Terms, reversals: Reversal[]): boolean {
  const known = reversals.map(each => (each.currency === terms.currency ? each : { ...each, converted: terms.amount }))
  return terms.amount > 0 && moneyOutOf(terms, known).reduce((sum, { counted }) => sum + counted, 0) >= terms.amount
}

/**
 * Whole credits, rounded in the customer's favour; never more than were bought, though refund and dispute may both
 * send money back. Nothing goes back of nothing.
 */
export const creditsOf = ({ credits, amount }: Terms, out: number): number =>
  amount === 0 ? 0 : Math.min(credits, Number((BigInt(credits) * BigInt(out)) / BigInt(amount)))
