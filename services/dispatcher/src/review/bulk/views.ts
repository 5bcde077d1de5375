import type * as answers from '@filmgate/proto/operator/review'
import { isAwaited } from './approve-bulk-end'
import type { BulkEnd, BulkTerms, ReviewCount } from './bulk-repository'
import type { BulkCounts } from './request-bulk-end'

export const bulkEndView = (bulk: BulkEnd): answers.BulkReviewEnd => ({
  ...{ id: String(bulk.id), ...termsView(bulk), reason: bulk.reason },
  ...{ reviews: bulk.reviews, credits: bulk.credits, left_out: bulk.leftOut, ended: bulk.ended },
  state: isAwaited(bulk) ? 'awaiting_second' : bulk.endedAt === null ? 'running' : 'done',
  ...{ asked_by: bulk.askedBy, asked_at: bulk.askedAt.toISOString() },
  ...{ approved_by: bulk.approvedBy, approved_at: bulk.approvedAt?.toISOString() ?? null, ended_at: bulk.endedAt?.toISOString() ?? null },
})

export const previewView = (terms: BulkTerms, limit: number, { counts, ...sums }: BulkCounts): answers.BulkReviewPreview => ({
  ...termsView(terms),
  ...{ reviews: sums.reviews, credits: sums.credits, left_out: sums.leftOut, needs_second: sums.needsSecond, limit },
  models: counts.map(countView),
})

const termsView = ({ provider, from, to, cause, outcome }: BulkTerms) => ({
  ...{ provider, from: from.toISOString(), to: to.toISOString(), cause, outcome },
})

const countView = ({ model, state, reviews, credits, creditsUnknown, oldest, newest, leftOut }: ReviewCount) => ({
  ...{ model, state, reviews, credits, credits_unknown: creditsUnknown, left_out: leftOut },
  ...{ oldest: oldest?.toISOString() ?? null, newest: newest?.toISOString() ?? null },
})
