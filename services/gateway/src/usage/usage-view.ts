import type { DaySum, Entry } from './usage-repository'

export const entryColumns = [
  'created_at',
  'task_id',
  'change_id',
  'kind',
  'model',
  'mode',
  'resolution',
  'billed_seconds',
  'credits',
  'balance_after',
  'price_version',
  'breakdown',
] as const

/**
 * A usage record: credits are negative where they were taken and positive where they came back or were given. A grant or a debit has a
 * change's id in place of a task's and no model. `breakdown` explains the credits: its lines sum to them.
 */
export const entryView = (entry: Entry) => ({
  created_at: entry.at.toISOString(),
  task_id: entry.model === null ? null : entry.sourceId,
  change_id: entry.model === null ? entry.sourceId : null,
  kind: entry.kind,
  model: entry.model,
  mode: entry.mode,
  resolution: entry.resolution,
  billed_seconds: entry.billedSeconds,
  credits: entry.credits,
  balance_after: entry.balanceAfter,
  price_version: entry.priceVersion,
  breakdown: entry.breakdown,
})

/** A record in a line of CSV. */
export const entryCells = <R extends { breakdown: object | null }>(record: R) => ({
  ...record,
  breakdown: record.breakdown && JSON.stringify(record.breakdown),
})

export const sumColumns = [
  'day',
  'model',
  'generations',
  'refunds',
  'billed_seconds',
  'credits_used',
  'credits_refunded',
  'credits_net',
] as const

export const sumView = (sum: DaySum) => ({
  day: sum.day,
  model: sum.model,
  generations: sum.generations,
  refunds: sum.refunds,
  billed_seconds: sum.billedSeconds,
  credits_used: sum.creditsUsed,
  credits_refunded: sum.creditsRefunded,
  credits_net: sum.creditsUsed - sum.creditsRefunded,
})
