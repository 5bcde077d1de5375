import { html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { LetterCount } from '@filmgate/proto/operator/bus'
import { number } from '../../layout/numbers'
import type { Operator } from '../door/operator-of'
import { operatePage } from '../layout/operate-page'
import { table } from '../layout/parts'
import { type Told, wordsOf } from '../services/services'

/** The topics, those where something waits first. */
export const deadLettersPage = ({ operator, counts }: { operator: Operator; counts: Told<Listed<LetterCount>> }): string =>
  operatePage({
    operator,
    room: 'dead-letters',
    title: 'Dead letters',
    content: html`<p>Messages that were themselves at fault, and were set aside so that those behind them could go on. Once the fault is mended, they are sent back.</p>
${
  counts.ok
    ? table(
        'Topics',
        ['Topic', { name: 'Waiting', number: true }],
        counts.value.data
          .toSorted((a, b) => b.waiting - a.waiting)
          .map(({ topic, waiting }) => [
            waiting > 0 ? html`<a href="/operate/dead-letters/${encodeURIComponent(topic)}">${topic}</a>` : topic,
            number(waiting),
          ]),
      )
    : html`<p class="notice wrong" role="alert">${wordsOf(counts)}</p>`
}`,
  })
