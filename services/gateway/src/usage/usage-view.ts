import type { DaySum, UsageRecord } from './usage-repository'

export const recordColumns = [
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
  'surface',
] as const

/**
 * A usage record: credits are negative where they were taken and positive where they came back or were given. A grant or a debit has a
 * change's id in place of a task's and no model. `breakdown` explains the credits: its lines sum to them.
 */
export const recordView = (record: UsageRecord) => ({
  created_at: record.at.toISOString(),
  task_id: isChange(record) ? null : record.sourceId || null,
  change_id: isChange(record) ? record.sourceId : null,
  kind: record.kind,
  model: record.model,
  mode: record.mode,
  resolution: record.resolution,
  billed_seconds: record.billedSeconds,
  credits: record.credits,
  balance_after: record.balanceAfter,
  price_version: record.priceVersion,
  breakdown: record.breakdown,
  surface: isChange(record) ? null : (record.surface ?? 'api'),
})

const isChange = ({ kind }: UsageRecord): boolean => kind === 'grant' || kind === 'debit'

/**
 * A record as the API shows it. It knows no task of the console, so that of one it has what moved the paid balance, without any detail: with
 * these records each `balance_after` is the one before it plus the credits.
 */
export const withoutWebTask = (record: UsageRecord): UsageRecord =>
  record.surface !== 'web'
    ? record
    : {
        ...record,
        sourceId: '',
        model: null,
        mode: null,
        resolution: null,
        billedSeconds: 0,
        breakdown: null,
        priceVersion: null,
        credits: record.credits - record.starter,
        starter: 0,
      }

/** What the console shows of a record besides: which of the credits were of which balance. */
const webColumns = ['paid_credits', 'starter_credits'] as const
export const webRecordColumns = [...recordColumns, ...webColumns] as const

export const webRecordView = (record: UsageRecord) => ({
  ...recordView(record),
  paid_credits: record.credits - record.starter,
  starter_credits: record.starter,
})

/** A record in a line of CSV. */
export const recordCells = <R extends { breakdown: object | null }>(record: R) => ({
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

/** What the console shows of a day besides. `held`: of the credits used, those of tasks that have not ended. */
export const webSumView = (sum: DaySum, held: number) => ({
  ...sumView(sum),
  credits_held: held,
  starter_credits_net: sum.starterNet,
})
