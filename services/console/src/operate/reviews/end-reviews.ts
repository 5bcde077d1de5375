import { Failure } from '@filmgate/kit/failure'
import { BulkReviewEnd } from '@filmgate/proto/operator/review'
import type { Reason } from '../../errors'
import type { FormFields } from '../../http/read-form'
import { number } from '../../layout/numbers'
import type { OperateDeps, Operator } from '../access/require-operator'
import { type ActionResult, actionResult, performAction } from '../actions/perform-action'
import { isWhole, readBulkTerms } from './read-bulk-terms'

/** A page waits for its batches so long; what is left then goes on with the next form. */
const batchesMs = 20_000
const batchTimeoutMs = 30_000

/** Asks the dispatcher to end reviews together, and has it do so unless a second operator is needed. */
export function endReviews(deps: OperateDeps, operator: Operator, form: FormFields) {
  const terms = readBulkTerms(name => form.get(name))
  if (!isWhole(terms))
    throw new Failure<Reason>('invalid_request', { message: 'Choose a provider, two times and an outcome. Nothing was done.' })
  return performAction(deps, operator, form, { action: 'reviews_ended', subject: terms.provider ?? '', details: terms }, reason =>
    goOn(deps, operator, '/bulk-review-ends', { ...terms, reason }),
  )
}

/** Approves what another operator asked for, and has it done. */
export const approveReviews = (deps: OperateDeps, operator: Operator, form: FormFields, id: string) =>
  performAction(deps, operator, form, { action: 'reviews_approved', subject: id }, () =>
    goOn(deps, operator, `/bulk-review-ends/${encodeURIComponent(id)}/approve`),
  )

/** Goes on with what was interrupted. */
export const continueReviews = (deps: OperateDeps, operator: Operator, form: FormFields, id: string) =>
  performAction(deps, operator, form, { action: 'reviews_continued', subject: id }, () => goOn(deps, operator, nextPath(id)))

const nextPath = (id: string): string => `/bulk-review-ends/${encodeURIComponent(id)}/next`

/** After the first request, a batch a request, until it is done or the page has waited long enough. */
async function goOn(deps: OperateDeps, operator: Operator, path: string, body?: object): Promise<ActionResult> {
  const end = performance.now() + batchesMs
  const ask = (path: string, body?: object) =>
    deps.services.ask(operator.person, 'dispatcher', {
      answer: BulkReviewEnd,
      method: 'POST',
      path,
      timeoutMs: batchTimeoutMs,
      ...(body && { body }),
    })
  let response = await ask(path, body)
  while (response.ok && response.value.state === 'running' && performance.now() < end) response = await ask(nextPath(response.value.id))
  return actionResult(response, messageOf)
}

function messageOf({ state, ended, reviews }: BulkReviewEnd): string {
  const count = `${number(ended)} of ${number(reviews)} reviews`
  if (state === 'awaiting_second') return `${number(reviews)} reviews wait for a second operator, below.`
  return state === 'done' ? `${count} are ended.` : `${count} are ended. Go on below for the others.`
}
