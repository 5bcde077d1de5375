import { type Html, html } from '@filmgate/kit/http/html'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import { actForm } from '../acts/act-form'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'
import { reviewPath, taskPath } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { accountLink, detailsText, facts, table, tag } from '../layout/parts'
import type { GatewayTask } from '../services/views'
import { attemptsOf, decisionsOf } from './attempts'
import type { Story } from './story'

type Shown = { operator: Operator; story: Story; last: ActRow | undefined; notice: Notice | undefined }

export const taskPage = ({ operator, story, last, notice }: Shown): string =>
  operatePage({
    operator,
    room: 'tasks',
    title: `Task ${story.taskId}`,
    notice,
    content: html`${story.silent.map(words => html`<p class="notice wrong">${words} What it knows is missing below.</p>`)}
${isInReview(story) && html`<p class="notice wrong">It is in review: only a person can find out what became of it. <a href="${reviewPath(story.taskId)}">End the review</a></p>`}
${summary(story)}
${acts(operator, story, last)}
<h2>What the gateway has heard</h2>
${table(
  'Events',
  ['When', 'What', 'Details'],
  (story.gateway?.events ?? []).map(({ at, kind, details }) => [
    time(at),
    html`<span class="nowrap">${kind}</span>`,
    html`<div class="wide-cell">${detailsText(details)}</div>`,
  ]),
  missing(story, 'gateway'),
)}
${money(story)}
<h2>Media</h2>
${
  story.probe
    ? facts([
        ['State', tag(story.probe.verification.state)],
        ['Copies', (story.probe.verification.object_keys ?? []).join(', ')],
        ['Taken up', time(story.probe.verification.created_at)],
        ['Changed', time(story.probe.verification.changed_at)],
      ])
    : html`<p class="soft">${missing(story, 'media-probe', 'It brought no media that had to be looked at.')}</p>`
}
<h2>Attempts at providers</h2>
${attemptsOf(story.dispatcher, missing(story, 'dispatcher', 'There was none.'))}
${decisionsOf(story.dispatcher)}
<h2>What operators did to it</h2>
${table(
  'Acts',
  ['When', 'What', 'By', 'Reason'],
  [
    ...(story.gateway?.acts ?? []).map(act => [time(act.at), act.act.replaceAll('_', ' '), act.by, '']),
    ...[story.ledger?.release, story.dispatcher?.release].flatMap(one =>
      one ? [[time(one.released_at), 'released', one.by ?? '', one.reason]] : [],
    ),
  ],
  'Nothing yet.',
)}`,
  })

export const isInReview = ({ ledger, dispatcher }: Pick<Story, 'ledger' | 'dispatcher'>): boolean =>
  ledger?.reservation?.state === 'review' || (dispatcher?.attempts ?? []).some(({ review_since }) => review_since !== null)

function missing({ silent, unknownTo }: Story, service: Story['unknownTo'][number], words?: string): string {
  if (unknownTo.includes(service)) return words ?? `The ${service} does not know the task.`
  return silent.some(one => one.includes(service)) ? `The ${service} could not be asked.` : 'None.'
}

function summary({ gateway, ledger }: Story): Html {
  const { task } = gateway ?? {}
  const accountId = task?.accountId ?? ledger?.reservation?.account_id ?? ledger?.declined?.account_id
  return facts([
    ['Account', accountId !== undefined && accountLink(accountId)],
    ['Model', task && `${task.model}, ${task.mode}`],
    ['Phase', tag(task?.phase)],
    ['Credits are', tag(task?.billingStatus)],
    ['Used', task && number(task.creditsUsed)],
    ['Refunded', task && number(task.creditsRefunded)],
    ['Error', task?.errorCode && `${task.errorCode}: ${task.errorMessage ?? ''}`],
    ['Video', task?.videoUrl && html`<a href="${task.videoUrl}" rel="noreferrer">${task.videoUrl}</a>`],
    ['Delivered', task?.delivery && deliveryWords(task.delivery)],
    ['Created', task && time(task.createdAt)],
    ['Changed', task && time(task.updatedAt)],
    ['To be admitted by', task && time(task.admitBy)],
  ])
}

type Delivery = NonNullable<GatewayTask['task']['delivery']>

const deliveryWords = ({ duration_ms, width, height, has_audio, shortfalls }: Delivery): string =>
  `${duration_ms / 1_000} s, ${width} × ${height}, ${has_audio ? 'with' : 'without'} sound${shortfalls.length > 0 ? `; less than ordered: ${shortfalls.join(', ')}` : ''}`

const acts = (operator: Operator, { taskId }: Story, last: ActRow | undefined): Html => html`${actForm(operator, {
  act: 'task_retold',
  path: `${taskPath(taskId)}/retell`,
  title: 'Tell again…',
  button: 'Tell again',
  what: 'Every service tells once more what it knows of the task: heals what was lost between them, and moves no credits by itself.',
  meant: 'I mean this task.',
  last,
})}
${actForm(operator, {
  act: 'task_released',
  path: `${taskPath(taskId)}/release`,
  title: 'Release…',
  button: 'Release',
  what: 'Ends a task that nothing can heal, once telling it again and its review did not: its credits are returned and its key is free. Say how you know.',
  meant: 'I mean this task, and nothing else can heal it.',
  last,
})}`

function money(story: Story): Html {
  const { reservation, declined, entries = [], contradictions = [] } = story.ledger ?? { reservation: null, declined: null }
  return html`<h2>Credits</h2>
${
  reservation
    ? facts([
        ['Reservation', tag(reservation.state)],
        ['Credits', `${number(reservation.credits)} (paid ${number(reservation.paid)}, starter ${number(reservation.starter)})`],
        ['Refunded', number(reservation.refunded)],
        ['Surface', reservation.surface],
        ['Reserved', time(reservation.reserved_at)],
        ['Ended', reservation.ended_at && time(reservation.ended_at)],
      ])
    : declined
      ? facts([
          ['Declined', declined.reason.replaceAll('_', ' ')],
          ['Needed', number(declined.required)],
          ['There were', number(declined.available)],
          ['When', time(declined.declined_at)],
        ])
      : html`<p class="soft">${missing(story, 'ledger')}</p>`
}
${
  entries.length > 0 &&
  table(
    'Entries',
    ['When', 'Entry', 'Book', { name: 'Credits', number: true }],
    entries.map(({ at, kind, book, credits }) => [time(at), kind, book, number(credits)]),
  )
}
${
  contradictions.length > 0 &&
  html`<h3>Contradictions</h3>
${table(
  'Contradictions',
  ['Last seen', 'Verdict', 'Against', 'Times', 'Acknowledged'],
  contradictions.map(one => [
    time(one.seen_at),
    one.verdict,
    one.detail ?? one.state ?? '',
    one.times,
    one.acknowledged_at
      ? html`${time(one.acknowledged_at)} by ${one.acknowledged_by ?? 'nobody named'}: ${one.acknowledged_reason ?? ''}`
      : html`<a href="/operate/audit">open</a>`,
  ]),
)}`
}`
}
