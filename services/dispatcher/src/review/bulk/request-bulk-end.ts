import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../../errors'
import type { Routing } from '../../routing/routing'
import type { ReviewOutcome } from '../decide-review'
import { type BulkEnd, type BulkTerms, countReviews, findUnended, insertBulkEnd, type ReviewCount } from './bulk-repository'

export type BulkDeps = {
  sql: Sql
  routing: Pick<Routing, 'connectorOf'>
  /** Reviews that one operator may refund or accept with one command. */
  bulkReviewLimit: number
}

export type BulkRequest = BulkTerms & {
  reason: string
  by: string
  /** Throws where the token doesn't vouch for a person. */
  provePerson(): void
}

export type BulkCounts = { reviews: number; credits: number; leftOut: number; needsSecond: boolean; counts: ReviewCount[] }

/** How many reviews these terms mean, and whether they need a second operator; changes nothing. */
export async function previewBulkEnd({ sql, bulkReviewLimit }: BulkDeps, terms: BulkTerms): Promise<BulkCounts> {
  const counts = await countReviews(sql, terms)
  const sumOf = (field: 'reviews' | 'credits' | 'leftOut') => counts.reduce((sum, one) => sum + one[field], 0)
  const reviews = sumOf('reviews')
  return {
    ...{ reviews, credits: sumOf('credits'), leftOut: sumOf('leftOut'), counts },
    needsSecond: decidesCredits(terms.outcome) && reviews > bulkReviewLimit,
  }
}

/** A retry has its provider asked again, which decides by the rules of every other attempt. */
const decidesCredits = (outcome: ReviewOutcome): boolean => outcome !== 'retry'

/**
 * Keeps what is asked for; ends nothing. The same terms again are the same bulk end until it is ended, whoever asks. Above the limit it waits
 * for another operator. 404 where no open review fits.
 */
export async function requestBulkEnd(deps: BulkDeps, { reason, by, provePerson, ...terms }: BulkRequest): Promise<BulkEnd> {
  const { sql, routing } = deps
  const known = await findUnended(sql, { ...terms, reason })
  if (known) return known
  if (terms.outcome === 'accept' && !routing.connectorOf(terms.provider))
    throw new Failure<Reason>('invalid_request', { message: `Provider ${terms.provider} is not configured.` })
  const { reviews, credits, leftOut, needsSecond } = await previewBulkEnd(deps, terms)
  if (reviews === 0) throw new Failure<Reason>('no_reviews_fit', { details: { left_out: leftOut } })
  if (needsSecond) provePerson()
  await insertBulkEnd(sql, { ...terms, reason, reviews, credits, leftOut, needsSecond, askedBy: by })
  const asked = await findUnended(sql, { ...terms, reason })
  if (!asked) throw new Failure<Reason>('internal_error', { internal: 'the bulk end that was asked for is gone' })
  return asked
}
