import { writeTags } from '../tags/read-tags'
import { type Dimensions, groupNames, groupView } from './dimensions'
import type { UsageRecord, UsageSum } from './usage-repository'

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
  'key_id',
  'tags',
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
  key_id: record.keyId || null,
  tags: record.tags,
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
        keyId: null,
        tags: null,
      }

/** What the console shows of a record besides: which of the credits were of which balance. */
const webColumns = ['paid_credits', 'starter_credits'] as const
export const webRecordColumns = [...recordColumns, ...webColumns] as const

export const webRecordView = (record: UsageRecord) => ({
  ...recordView(record),
  paid_credits: record.credits - record.starter,
  starter_credits: record.starter,
})

/** A record in a line of CSV; its tags as the header has them. */
export const recordCells = <R extends { breakdown: object | null; tags: Record<string, string> | null }>(record: R) => ({
  ...record,
  tags: record.tags && writeTags(record.tags),
  breakdown: record.breakdown && JSON.stringify(record.breakdown),
})

const figures = ['generations', 'refunds', 'billed_seconds', 'credits_used', 'credits_refunded', 'credits_net'] as const

export const sumColumns = (by: Dimensions): string[] => [...groupNames(by), ...figures]

export const sumView = (sum: UsageSum, by: Dimensions) => ({
  ...groupView(by, sum),
  generations: sum.generations,
  refunds: sum.refunds,
  billed_seconds: sum.billedSeconds,
  credits_used: sum.creditsUsed,
  credits_refunded: sum.creditsRefunded,
  credits_net: sum.creditsUsed - sum.creditsRefunded,
})

/** What the console shows of a sum besides. `held`: of the credits used, those of tasks that have not ended. */
export const webSumView = (sum: UsageSum, by: Dimensions, held: number) => ({
  ...sumView(sum, by),
  credits_held: held,
  starter_credits_net: sum.starterNet,
})
