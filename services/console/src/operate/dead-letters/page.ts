import { html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { LetterCount } from '@filmgate/proto/operator/bus'
import { number } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { operatePage } from '../layout/operate-page'
import { table } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'

/** The topics, those with waiting messages first. */
export const deadLettersPage = ({ operator, counts }: { operator: Operator; counts: ServiceResult<Listed<LetterCount>> }): string =>
  operatePage({
    operator,
    section: 'dead-letters',
    title: 'Dead letters',
    content: html`<p>Messages that could not be processed. They were set aside so that later messages could continue. Replay them once the cause is fixed.</p>
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
    : html`<p class="notice wrong" role="alert">${errorMessage(counts)}</p>`
}`,
  })
