import { type Html, html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { ReviewRow } from '@filmgate/proto/operator/attempt'
import type { AuditRun, Contradiction } from '@filmgate/proto/operator/books'
import type { LetterCount } from '@filmgate/proto/operator/bus'
import { number, time } from '../../layout/numbers'
import type { Operator } from '../door/operator-of'
import { rooms } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { table, tag } from '../layout/parts'
import { type Readiness, type Told, wordsOf } from '../services/services'

type Shown = {
  operator: Operator
  reviews: Told<Listed<ReviewRow>>
  letters: Told<Listed<LetterCount>>
  runs: Told<Listed<AuditRun>>
  contradictions: Told<Listed<Contradiction>>
  readiness: Readiness[]
}

/** A list as the services send it ends there. */
const shownMax = 500
const count = (rows: number): string => (rows >= shownMax ? `${number(shownMax)} or more` : number(rows))

export function homePage({ operator, reviews, letters, runs, contradictions, readiness }: Shown): string {
  const waiting = letters.ok ? letters.value.data.reduce((sum, { waiting }) => sum + waiting, 0) : 0
  const last = runs.ok ? runs.value.data[0] : undefined
  return operatePage({
    operator,
    room: 'home',
    title: 'State',
    content: html`<div class="cards">
${card(reviews, 'Open reviews', 'reviews', ({ data }) => [count(data.length), data[0] ? html`the oldest since ${time(data[0].review_since)}` : 'nothing waits for a person'])}
${card(letters, 'Dead letters', 'dead-letters', () => [number(waiting), waiting > 0 ? 'messages that were set aside' : 'nothing was set aside'])}
${card(runs, 'Audit findings', 'audit', () => [last ? count(last.findings.length) : '–', last ? html`as of ${time(last.at)}` : 'the books were never audited'])}
${card(contradictions, 'Contradictions', 'audit', ({ data }) => [count(data.length), data.length > 0 ? 'wait to be acknowledged' : 'none is open'])}
</div>
<h2>Services</h2>
${table(
  'Services',
  ['Service', 'State', 'Waits for'],
  readiness.map(({ service, state, missing }) => [service, tag(state), missing.join(', ')]),
)}`,
  })
}

function card<T>(told: Told<T>, name: string, room: keyof typeof rooms, shown: (value: T) => [figure: string, words: string | Html]): Html {
  const [figure, words] = told.ok ? shown(told.value) : ['–', html`<span class="bad">${wordsOf(told)}</span>`]
  return html`<section class="card"><h2 class="figure-name"><a href="${rooms[room][0]}">${name}</a></h2><p class="figure">${figure}</p><p class="soft">${words}</p></section>`
}
