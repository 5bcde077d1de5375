import type { Finding } from '../audit/judge-purchase'
import type { Period, StripeList } from '../stripe/list-page'

export type Reconciliation = {
  id: string
  /** Null where the clock did. */
  requestedBy: string | null
  from: Date
  to: Date
  /** Nothing is applied. */
  dryRun: boolean
  livemode: boolean
  state: 'running' | 'done' | 'failed'
  step: StripeList | 'compare'
  after: string | null
  pages: number
  charges: number
  refunds: number
  disputes: number
  /** Of what was listed: that which no event had told. It was applied, unless this is a dry run. */
  missed: number
  /** What differs still, of which the first are kept. */
  total: number
  findings: Finding[]
  fault: string | null
  createdAt: Date
  endedAt: Date | null
}

const dayMs = 86_400_000
/** Of the clock's: a payment that takes days, and a refund that fails, are known by then. */
export const lookBackMs = 35 * dayMs
/** Of the clock's: a dispute moves for months. */
const disputesLookBackMs = 180 * dayMs

/** Events of what is newer may be on their way: a period ends before that, unless its end is given. */
export const deliveryMs = 15 * 60_000

/** What of a list is read. */
export const periodOf = ({ requestedBy, from, to }: Pick<Reconciliation, 'requestedBy' | 'from' | 'to'>, list: StripeList): Period =>
  requestedBy === null && list === 'disputes' ? { from: new Date(to.getTime() - disputesLookBackMs), to } : { from, to }
