import { html } from '@filmgate/kit/http/html'
import type { AwaitedChange } from '@filmgate/proto/operator/account'
import type { Listed } from '@filmgate/proto/operator/answer'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import { actForm } from '../acts/act-form'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'
import { operatePage } from '../layout/operate-page'
import { accountLink, table } from '../layout/parts'
import { type Told, wordsOf } from '../services/services'

type Shown = { operator: Operator; changes: Told<Listed<AwaitedChange>>; last: ActRow | undefined; notice: Notice | undefined }

export const changesPage = ({ operator, changes, last, notice }: Shown): string =>
  operatePage({
    operator,
    room: 'changes',
    title: 'Waits for a second operator',
    notice,
    content: html`<p>Grants and debits of more credits than one operator may move. Another one, with the role money, approves them; until then nothing is moved.</p>
${
  changes.ok
    ? table(
        'Grants and debits',
        ['Asked', 'By', 'Account', 'What', { name: 'Credits', number: true }, 'Reason', ''],
        changes.value.data.map(change => [
          time(change.asked_at),
          change.operator ?? '',
          accountLink(change.account_id),
          `${change.kind}, ${change.balance}`,
          number(change.kind === 'debit' ? -change.credits : change.credits),
          html`<div class="wide-cell">${change.reason}</div>`,
          change.operator === operator.person.email ? html`<span class="soft">yours</span>` : approval(operator, change, last),
        ]),
        'Nothing waits.',
      )
    : html`<p class="notice wrong" role="alert">${wordsOf(changes)}</p>`
}`,
  })

const approval = (operator: Operator, change: AwaitedChange, last: ActRow | undefined) =>
  actForm(operator, {
    act: 'change_approved',
    key: change.id,
    path: `/operate/credit-changes/${encodeURIComponent(change.id)}/approve`,
    title: 'Approve…',
    button: 'Approve',
    what: 'It goes to the ledger, in the name of who asked for it.',
    meant: `I looked at the account, and ${number(change.credits)} is right.`,
    last,
  })
