import type { Difference, Period } from './comparisons/comparison'

/** `foundAt`: when a run found it first. */
export type Finding = Difference & { comparison: string; foundAt: string }

/** Of one comparison: the rows it read, and how many differences there are, also of those that are not kept. */
export type ComparedCount = { rows: number; differences: number }

export type CrossAudit = Period & {
  id: string
  /** Null for the hourly run. */
  requestedBy: string | null
  state: 'running' | 'done' | 'failed'
  compared: Record<string, ComparedCount>
  findings: Finding[]
  fault: string | null
  createdAt: Date
  endedAt: Date | null
}

/** What is younger may still be on its way from one service to the other. */
export const graceMsDefault = 600_000
/** Of the hourly run. What is older changes no more, unless rows are lost. */
export const lookBackMs = 86_400_000

export const totalOf = ({ compared }: Pick<CrossAudit, 'compared'>): number =>
  Object.values(compared).reduce((sum, { differences }) => sum + differences, 0)
