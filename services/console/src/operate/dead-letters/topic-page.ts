import { type Html, html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { DeadLetter } from '@filmgate/proto/operator/bus'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import { actForm } from '../acts/act-form'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'
import { operatePage } from '../layout/operate-page'
import { facts, table } from '../layout/parts'
import { type Told, wordsOf } from '../services/services'

type Shown = {
  operator: Operator
  topic: string
  /** The one letter that is shown whole. */
  event: string | undefined
  letters: Told<Listed<DeadLetter>>
  last: ActRow | undefined
  notice: Notice | undefined
}

/** The letters of a topic, oldest first, or one of them whole. */
export function topicPage({ operator, topic, event, letters, last, notice }: Shown): string {
  const path = `/operate/dead-letters/${encodeURIComponent(topic)}`
  const rows = letters.ok ? letters.value.data : []
  const [letter] = event === undefined ? [] : rows
  return operatePage({
    operator,
    room: 'dead-letters',
    title: letter ? `Letter ${letter.offset} of ${topic}` : topic,
    notice,
    content: html`<p><a href="${letter ? path : '/operate/dead-letters'}">${letter ? 'All letters of this topic' : 'All topics'}</a></p>
${!letters.ok && html`<p class="notice wrong" role="alert">${wordsOf(letters)}</p>`}
${letter ? oneLetter(operator, path, letter, last) : letters.ok && listed(operator, path, topic, rows, last)}`,
  })
}

const oneLetter = (operator: Operator, path: string, letter: DeadLetter, last: ActRow | undefined): Html => html`${facts([
  ['Cause', html`<span class="answer">${letter.cause}</span>`],
  ['Set aside', time(letter.at)],
  ['By the consumers', letter.group],
  ['Came from', letter.source],
  ['Account or key', html`<code>${letter.key}</code>`],
  ['Event', html`<code>${letter.eventId}</code>`],
  ['Bytes', number(letter.bytes)],
])}
${actForm(operator, {
  act: 'letters_replayed',
  path: `${path}/replay`,
  title: 'Send this letter back…',
  button: 'Send it back',
  what: 'It is handled again. Where the fault is not mended it comes back here.',
  meant: 'The fault that the cause names is mended.',
  fields: html`<input type="hidden" name="event" value="${letter.eventId}">`,
  last,
})}`

const listed = (operator: Operator, path: string, topic: string, rows: DeadLetter[], last: ActRow | undefined): Html => html`${table(
  'Letters',
  ['Set aside', 'Cause', 'Consumers', 'Account or key', { name: 'Bytes', number: true }],
  rows.map(letter => [
    html`<a href="${path}?event=${encodeURIComponent(letter.eventId)}">${time(letter.at)}</a>`,
    html`<div class="wide-cell">${letter.cause}</div>`,
    html`<span class="nowrap">${letter.group}</span>`,
    html`<span class="mono">${letter.key}</span>`,
    number(letter.bytes),
  ]),
  'Nothing waits here.',
)}
${
  rows.length > 0 &&
  actForm(operator, {
    act: 'letters_replayed',
    path: `${path}/replay`,
    title: 'Send all back…',
    button: 'Send them back',
    what: 'All letters of this topic are sent back where they came from, oldest first, 500 at a time. Where the fault is not mended they come back here.',
    meant: `The fault is mended: I mean all letters of ${topic}.`,
    last,
  })
}`
