import { type Html, html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { AuditRun, Contradiction } from '@filmgate/proto/operator/books'
import type { LetterCount } from '@filmgate/proto/operator/bus'
import type { Outcomes } from '@filmgate/proto/operator/provider'
import type { OpenReviews } from '@filmgate/proto/operator/review'
import { number, time } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { sections } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { table, tag } from '../layout/parts'
import { type ChosenPeriod, periodForm } from '../layout/period'
import { outcomePeriods, outcomeTable, shareCompleted } from '../outcomes/outcome-table'
import { waitsTooLong } from '../purchases/cells'
import { errorMessage, type Readiness, type ServiceResult } from '../services/services'

/** Purchases in review, and for how long the oldest grant or debit of a payment has not been decided. */
export type WaitingPayments = { inReview: number; waitedMs: number }

type View = {
  operator: Operator
  period: ChosenPeriod
  outcomes: ServiceResult<Outcomes>
  reviews: ServiceResult<OpenReviews>
  letters: ServiceResult<Listed<LetterCount>>
  runs: ServiceResult<Listed<AuditRun>>
  contradictions: ServiceResult<Listed<Contradiction>>
  payments: WaitingPayments
  readiness: Readiness[]
}

/** The services' lists end there. */
const listMax = 500
const count = (rows: number): string => (rows >= listMax ? `${number(listMax)} or more` : number(rows))

export function homePage({ operator, period, outcomes, reviews, letters, runs, contradictions, payments, readiness }: View): string {
  const waiting = letters.ok ? letters.value.data.reduce((sum, { waiting }) => sum + waiting, 0) : 0
  const last = runs.ok ? runs.value.data[0] : undefined
  return operatePage({
    operator,
    section: 'home',
    title: 'Status',
    content: html`<div class="cards">
${card(outcomes, 'Completed', '#outcomes', ({ data }) => {
  const share = shareCompleted(data)
  return share
    ? [share.percent, `${number(share.completed)} of ${number(share.ended)} attempts that ended`]
    : ['–', 'no attempt has ended in this period']
})}
${card(reviews, 'Open reviews', sections.reviews[0], ({ data, total }) => [total === undefined ? count(data.length) : number(total), data[0] ? html`the oldest since ${time(data[0].review_since)}` : 'none'])}
${card(letters, 'Dead letters', sections['dead-letters'][0], () => [number(waiting), waiting > 0 ? 'messages are waiting' : 'none'])}
${card(runs, 'Audit findings', sections.audit[0], () => [last ? count(last.findings.length) : '–', last ? html`as of ${time(last.at)}` : 'no audit has run yet'])}
${card(contradictions, 'Contradictions', sections.audit[0], ({ data }) => [count(data.length), data.length > 0 ? 'to be acknowledged' : 'none'])}
${figureCard('Purchases in review', sections.purchases[0], [number(payments.inReview), paymentsNote(payments)])}
</div>
<h2 id="outcomes">Outcomes by provider</h2>
${periodForm('/operate', outcomePeriods, period)}
${outcomes.ok ? outcomeTable(outcomes.value, period) : html`<p class="notice wrong" role="alert">${errorMessage(outcomes)}</p>`}
<h2>Services</h2>
${table(
  'Services',
  ['Service', 'Status', 'Waiting for'],
  readiness.map(({ service, state, missing }) => [service, tag(state), missing.join(', ')]),
)}`,
  })
}

function card<T>(
  response: ServiceResult<T>,
  name: string,
  path: string,
  render: (value: T) => [figure: string, note: string | Html],
): Html {
  return figureCard(name, path, response.ok ? render(response.value) : ['–', html`<span class="bad">${errorMessage(response)}</span>`])
}

const figureCard = (name: string, path: string, [figure, note]: [figure: string, note: string | Html]): Html =>
  html`<section class="card"><h2 class="figure-name"><a href="${path}">${name}</a></h2><p class="figure">${figure}</p><p class="soft">${note}</p></section>`

const paymentsNote = ({ waitedMs }: WaitingPayments): string | Html =>
  waitsTooLong(waitedMs)
    ? html`<span class="bad">a payment has waited ${number(Math.floor(waitedMs / 60_000))} min for its credits or debit</span>`
    : 'no payment waits for its credits'
