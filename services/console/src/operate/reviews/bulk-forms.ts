import { type Html, html } from '@filmgate/kit/http/html'
import { hasRole } from '@filmgate/kit/operator/needs-role'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { BulkReviewEnd, BulkReviewPreview } from '@filmgate/proto/operator/review'
import { number, time } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { sections } from '../layout/menu'
import { table, tag } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'
import type { BulkTerms } from './read-bulk-terms'

export const bulkPath = '/operate/bulk-review-ends'

const outcomeNames = {
  retry: 'Try all again',
  refund: 'Refund all: the provider made none of them',
  accept: 'Accept all whose provider id is known',
} as const

/** Chooses reviews to be ended together; changes nothing. */
export const chooseForm = (terms: BulkTerms): Html => html`<form class="filter" method="get" action="${sections.reviews[0]}">
${textField('provider', 'Provider', terms.provider)}
${textField('from', 'In review since, such as 2026-11-21T08:30', terms.from)}
${textField('to', 'To (not in the future)', terms.to)}
${textField('cause', 'Words of the cause (optional)', terms.cause, false)}
<div><label for="bulk-outcome">Outcome</label>
<select id="bulk-outcome" name="outcome">${Object.entries(outcomeNames).map(
  ([outcome, name]) => html`<option value="${outcome}"${outcome === terms.outcome && html` selected`}>${name}</option>`,
)}</select></div>
<div><button class="second">Show</button></div>
</form>`

const textField = (name: string, label: string, value = '', required = true): Html =>
  html`<div><label for="bulk-${name}">${label}</label>
<input id="bulk-${name}" name="${name}" maxlength="200"${required && html` required`} autocomplete="off" value="${value}"></div>`

/** What ending the chosen reviews would mean, and the form that does it. */
export function previewSection(
  operator: Operator,
  terms: BulkTerms,
  preview: ServiceResult<BulkReviewPreview>,
  last: ActionRow | undefined,
): Html {
  if (!preview.ok) return html`<p class="notice wrong" role="alert">${errorMessage(preview)}</p>`
  const { reviews, credits, left_out, needs_second, limit, models, outcome } = preview.value
  return html`<p><strong>${number(reviews)} reviews</strong> with ${number(credits)} held credits.${left_out > 0 && html` ${number(left_out)} are left out: ${outcome === 'refund' ? 'an operator accepted them' : 'no id of the provider’s is known of them'}.`}</p>
${table(
  'Chosen reviews',
  [
    'Model',
    'Status',
    { name: 'Reviews', number: true },
    { name: 'Credits', number: true },
    'Oldest',
    'Newest',
    { name: 'Left out', number: true },
  ],
  models.map(row => [
    row.model,
    tag(row.state),
    number(row.reviews),
    number(row.credits),
    row.oldest !== null && time(row.oldest),
    row.newest !== null && time(row.newest),
    number(row.left_out),
  ]),
  'No open review fits.',
)}
${
  reviews > 0 &&
  actionForm(operator, {
    action: 'reviews_ended',
    path: bulkPath,
    title: `End ${number(reviews)} reviews…`,
    button: 'End them',
    description: needs_second
      ? html`More than ${number(limit)}: a second operator with the role money must approve this before anything is ended.`
      : 'Ends them in batches. What is ended stays ended if this is interrupted.',
    confirmation: `I checked at the provider: ${outcome} is right for all of them.`,
    fields: html`${Object.entries(terms).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`,
    last,
  })
}`
}

/** What was ended together, with the forms to approve it or to go on. */
export function bulkEnds(operator: Operator, bulks: ServiceResult<Listed<BulkReviewEnd>>, last: ActionRow | undefined): Html {
  if (!bulks.ok) return html`<p class="notice wrong" role="alert">${errorMessage(bulks)}</p>`
  return table(
    'Ended together',
    ['Requested', 'Requested by', 'Reviews', 'Outcome', { name: 'Ended', number: true }, 'Status', 'Reason', ''],
    bulks.value.data.map(bulk => [
      time(bulk.asked_at),
      html`${bulk.asked_by}${bulk.approved_by !== null && html`<span class="sub">approved by ${bulk.approved_by}</span>`}`,
      html`${bulk.provider}<span class="sub">${time(bulk.from)} to ${time(bulk.to)}${bulk.cause !== null && html`, “${bulk.cause}”`}</span>`,
      bulk.outcome,
      `${number(bulk.ended)} of ${number(bulk.reviews)}`,
      tag(bulk.state),
      html`<div class="wide-cell">${bulk.reason}</div>`,
      nextStep(operator, bulk, last),
    ]),
    'Nothing was ended together yet.',
  )
}

function nextStep(operator: Operator, bulk: BulkReviewEnd, last: ActionRow | undefined): Html | false {
  const path = `${bulkPath}/${encodeURIComponent(bulk.id)}`
  if (bulk.state === 'running')
    return actionForm(operator, {
      action: 'reviews_continued',
      key: bulk.id,
      path: `${path}/next`,
      title: 'Go on…',
      button: 'Go on',
      description: 'Ends the reviews that are left of it.',
      confirmation: 'I confirm these reviews.',
      last,
    })
  if (bulk.state !== 'awaiting_second') return false
  if (bulk.asked_by === operator.person.email) return html`<span class="soft">yours</span>`
  if (!hasRole(operator.role, 'money')) return html`<span class="soft">needs the role money</span>`
  return actionForm(operator, {
    action: 'reviews_approved',
    key: bulk.id,
    path: `${path}/approve`,
    title: 'Approve…',
    button: 'Approve',
    description: `Ends them in the requester’s name: ${number(bulk.reviews)} reviews, ${number(bulk.credits)} held credits.`,
    confirmation: `I checked at the provider: ${bulk.outcome} is right for all of them.`,
    last,
  })
}
