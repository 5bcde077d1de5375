import type { Finding } from '../audit/check-purchase'
import type { Period, StripeList } from '../stripe/list-page'

export type Reconciliation = {
  id: string
  /** Null for the daily run. */
  requestedBy: string | null
  from: Date
  to: Date
  /** If true, nothing is applied. */
  dryRun: boolean
  livemode: boolean
  state: 'running' | 'done' | 'failed'
  step: StripeList | 'compare'
  after: string | null
  pages: number
  charges: number
  refunds: number
  disputes: number
  /** Listed facts that no event delivered. They were applied, unless this is a dry run. */
  missed: number
  /** How many differences remain; only the first are stored. */
  total: number
  findings: Finding[]
  fault: string | null
  createdAt: Date
  endedAt: Date | null
}

const dayMs = 86_400_000
/** Of the daily run: covers payments that take days and refunds that fail later. */
export const lookBackMs = 35 * dayMs
/** Of the daily run: disputes take months. */
const disputesLookBackMs = 180 * dayMs

/** Newer events may still be in delivery, so a period without an explicit end stops before them. */
export const deliveryMs = 15 * 60_000

/** The period to read of a list. */
export const periodOf = ({ requestedBy, from, to }: Pick<Reconciliation, 'requestedBy' | 'from' | 'to'>, list: StripeList): Period =>
  requestedBy === null && list === 'disputes' ? { from: new Date(to.getTime() - disputesLookBackMs), to } : { from, to }
