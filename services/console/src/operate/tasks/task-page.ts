import { type Html, html } from '@filmgate/kit/http/html'
import type { GatewayTask } from '@filmgate/proto/operator/task'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { reviewPath, taskPath } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { accountLink, detailsText, facts, table, tag } from '../layout/parts'
import { attemptsOf, decisionsOf } from './attempts'
import type { TaskHistory } from './task-history'

type View = { operator: Operator; history: TaskHistory; last: ActionRow | undefined; notice: Notice | undefined }

export const taskPage = ({ operator, history, last, notice }: View): string =>
  operatePage({
    operator,
    section: 'tasks',
    title: `Task ${history.taskId}`,
    notice,
    content: html`${history.unavailable.map(message => html`<p class="notice wrong">${message} Its data is missing below.</p>`)}
${isInReview(history) && html`<p class="notice wrong">This task is in review, because its outcome is unknown. <a href="${reviewPath(history.taskId)}">End the review</a></p>`}
${summary(history)}
${actionForms(operator, history, last)}
<h2>Events at the gateway</h2>
${table(
  'Events',
  ['Time', 'Event', 'Details'],
  (history.gateway?.events ?? []).map(({ at, kind, details }) => [
    time(at),
    html`<span class="nowrap">${kind}</span>`,
    html`<div class="wide-cell">${detailsText(details)}</div>`,
  ]),
  noDataText(history, 'gateway'),
)}
${creditsSection(history)}
<h2>Media</h2>
${
  history.probe
    ? facts([
        ['Status', tag(history.probe.verification.state)],
        ['Copies', (history.probe.verification.object_keys ?? []).join(', ')],
        ['Received', time(history.probe.verification.created_at)],
        ['Changed', time(history.probe.verification.changed_at)],
      ])
    : html`<p class="soft">${noDataText(history, 'media-probe', 'The task has no media to check.')}</p>`
}
<h2>Attempts at providers</h2>
${attemptsOf(history.dispatcher, noDataText(history, 'dispatcher', 'None.'))}
${decisionsOf(history.dispatcher)}
<h2>Operator actions</h2>
${table(
  'Operator actions',
  ['Time', 'Action', 'Operator', 'Reason'],
  [
    ...(history.gateway?.acts ?? []).map(act => [time(act.at), act.act.replaceAll('_', ' '), act.by, '']),
    ...[history.ledger?.release, history.dispatcher?.release].flatMap(one =>
      one ? [[time(one.released_at), 'released', one.by ?? '', one.reason]] : [],
    ),
  ],
  'Nothing yet.',
)}`,
  })

export const isInReview = ({ ledger, dispatcher }: Pick<TaskHistory, 'ledger' | 'dispatcher'>): boolean =>
  ledger?.reservation?.state === 'review' || (dispatcher?.attempts ?? []).some(({ review_since }) => review_since !== null)

function noDataText({ unavailable, notFoundIn }: TaskHistory, service: TaskHistory['notFoundIn'][number], text?: string): string {
  if (notFoundIn.includes(service)) return text ?? `The ${service} does not know the task.`
  return unavailable.some(one => one.includes(service)) ? `The ${service} is not available.` : 'None.'
}

function summary({ gateway, ledger }: TaskHistory): Html {
  const { task } = gateway ?? {}
  const accountId = task?.accountId ?? ledger?.reservation?.account_id ?? ledger?.declined?.account_id
  return facts([
    ['Account', accountId !== undefined && accountLink(accountId)],
    ['Model', task && `${task.model}, ${task.mode}`],
    ['Phase', tag(task?.phase)],
    ['Billing status', tag(task?.billingStatus)],
    ['Used', task && number(task.creditsUsed)],
    ['Refunded', task && number(task.creditsRefunded)],
    ['Error', task?.errorCode && `${task.errorCode}: ${task.errorMessage ?? ''}`],
    ['Video', task?.videoUrl && html`<a href="${task.videoUrl}" rel="noreferrer">${task.videoUrl}</a>`],
    ['Delivered', task?.delivery && deliveryText(task.delivery)],
    ['Created', task && time(task.createdAt)],
    ['Changed', task && time(task.updatedAt)],
    ['Admission deadline', task && time(task.admitBy)],
  ])
}

type Delivery = NonNullable<GatewayTask['task']['delivery']>

const deliveryText = ({ duration_ms, width, height, has_audio, shortfalls }: Delivery): string =>
  `${duration_ms / 1_000} s, ${width} × ${height}, ${has_audio ? 'with' : 'without'} sound${shortfalls.length > 0 ? `; less than ordered: ${shortfalls.join(', ')}` : ''}`

const actionForms = (operator: Operator, { taskId }: TaskHistory, last: ActionRow | undefined): Html => html`${actionForm(operator, {
  action: 'task_replayed',
  path: `${taskPath(taskId)}/replay`,
  title: 'Replay…',
  button: 'Replay',
  description:
    'Every service publishes the task’s events again, from its own rows: heals what was lost between them, and moves no credits by itself.',
  confirmation: 'I confirm this task.',
  last,
})}
${actionForm(operator, {
  action: 'task_released',
  path: `${taskPath(taskId)}/release`,
  title: 'Release…',
  button: 'Release',
  description:
    'Ends a task that nothing can heal, once a replay, its review and its dead letters did not: its credits are returned and its key is free. Say how you know.',
  confirmation: 'I mean this task, and nothing else can heal it.',
  last,
})}`

function creditsSection(history: TaskHistory): Html {
  const { reservation, declined, entries = [], contradictions = [] } = history.ledger ?? { reservation: null, declined: null }
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
          ['Required', number(declined.required)],
          ['Available', number(declined.available)],
          ['Time', time(declined.declined_at)],
        ])
      : html`<p class="soft">${noDataText(history, 'ledger')}</p>`
}
${
  entries.length > 0 &&
  table(
    'Entries',
    ['Time', 'Entry', 'Book', { name: 'Credits', number: true }],
    entries.map(({ at, kind, book, credits }) => [time(at), kind, book, number(credits)]),
  )
}
${
  contradictions.length > 0 &&
  html`<h3>Contradictions</h3>
${table(
  'Contradictions',
  ['Last seen', 'Verdict', 'Conflicts with', 'Count', 'Acknowledged'],
  contradictions.map(one => [
    time(one.seen_at),
    one.verdict,
    one.detail ?? one.state ?? '',
    one.times,
    one.acknowledged_at
      ? html`${time(one.acknowledged_at)} by ${one.acknowledged_by ?? 'an unknown operator'}: ${one.acknowledged_reason ?? ''}`
      : html`<a href="/operate/audit">open</a>`,
  ]),
)}`
}`
}
