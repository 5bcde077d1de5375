import { type Html, html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { DeadLetter } from '@filmgate/proto/operator/bus'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { operatePage } from '../layout/operate-page'
import { facts, table } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'

type View = {
  operator: Operator
  topic: string
  /** The event id of the letter that is shown in full. */
  event: string | undefined
  letters: ServiceResult<Listed<DeadLetter>>
  last: ActionRow | undefined
  notice: Notice | undefined
}

/** The dead letters of a topic, oldest first, or one of them in full. */
export function topicPage({ operator, topic, event, letters, last, notice }: View): string {
  const path = `/operate/dead-letters/${encodeURIComponent(topic)}`
  const rows = letters.ok ? letters.value.data : []
  const [letter] = event === undefined ? [] : rows
  return operatePage({
    operator,
    section: 'dead-letters',
    title: letter ? `Message ${letter.offset} of ${topic}` : topic,
    notice,
    content: html`<p><a href="${letter ? path : '/operate/dead-letters'}">${letter ? 'All dead letters of this topic' : 'All topics'}</a></p>
${!letters.ok && html`<p class="notice wrong" role="alert">${errorMessage(letters)}</p>`}
${letter ? letterDetails(operator, path, letter, last) : letters.ok && letterTable(operator, path, topic, rows, last)}`,
  })
}

const letterDetails = (operator: Operator, path: string, letter: DeadLetter, last: ActionRow | undefined): Html => html`${facts([
  ['Cause', html`<span class="answer">${letter.cause}</span>`],
  ['Set aside', time(letter.at)],
  ['Came back', cameBack(letter) && html`${cameBack(letter)}, first set aside ${time(letter.firstAt ?? letter.at)}`],
  ['Consumer group', letter.group],
  ['Source', letter.source],
  ['Key', html`<code>${letter.key}</code>`],
  ['Event', html`<code>${letter.eventId}</code>`],
  ['Bytes', number(letter.bytes)],
])}
${actionForm(operator, {
  action: 'letters_replayed',
  path: `${path}/replay`,
  title: 'Replay this message…',
  button: 'Replay',
  description: 'Processes the message again, in this consumer group only. If the cause is not fixed, it returns here.',
  confirmation: 'The cause is fixed.',
  fields: letterFields(letter),
  last,
})}
${actionForm(operator, {
  action: 'letters_discarded',
  path: `${path}/discard`,
  title: 'Discard this message…',
  button: 'Discard',
  description: 'Removes the message for good. It is never replayed.',
  confirmation: 'This consumer group does not need the message.',
  fields: letterFields(letter),
  last,
})}`

const letterFields = ({ eventId, group }: DeadLetter): Html =>
  html`<input type="hidden" name="event" value="${eventId}"><input type="hidden" name="group" value="${group}">`

const cameBack = ({ cameBack = 0 }: DeadLetter): string =>
  cameBack === 0 ? '' : `${number(cameBack)} ${cameBack === 1 ? 'time' : 'times'}`

const letterTable = (
  operator: Operator,
  path: string,
  topic: string,
  rows: DeadLetter[],
  last: ActionRow | undefined,
): Html => html`${table(
  'Dead letters',
  ['Set aside', 'Came back', 'Cause', 'Consumer group', 'Key', { name: 'Bytes', number: true }],
  rows.map(letter => [
    html`<a href="${path}?${new URLSearchParams({ event: letter.eventId, group: letter.group }).toString()}">${time(letter.at)}</a>`,
    cameBack(letter),
    html`<div class="wide-cell">${letter.cause}</div>`,
    html`<span class="nowrap">${letter.group}</span>`,
    html`<span class="mono">${letter.key}</span>`,
    number(letter.bytes),
  ]),
  'No dead letters.',
)}
${
  rows.length > 0 &&
  actionForm(operator, {
    action: 'letters_replayed',
    path: `${path}/replay`,
    title: 'Replay all…',
    button: 'Replay all',
    description: 'Replays the messages of this topic, oldest first, at most 500 at a time. If the cause is not fixed, they return here.',
    confirmation: `The cause is fixed, and I want to replay all messages of ${topic}.`,
    last,
  })
}`
