import { html } from '@filmgate/kit/http/html'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { operatePage } from '../layout/operate-page'
import { accountLink, table } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'
import type { AwaitedChange, Listed } from '../services/views'

type View = { operator: Operator; changes: ServiceResult<Listed<AwaitedChange>>; last: ActionRow | undefined; notice: Notice | undefined }

export const changesPage = ({ operator, changes, last, notice }: View): string =>
  operatePage({
    operator,
    section: 'changes',
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
    : html`<p class="notice wrong" role="alert">${errorMessage(changes)}</p>`
}`,
  })

const approval = (operator: Operator, change: AwaitedChange, last: ActionRow | undefined) =>
  actionForm(operator, {
    action: 'change_approved',
    key: change.id,
    path: `/operate/credit-changes/${encodeURIComponent(change.id)}/approve`,
    title: 'Approve…',
    button: 'Approve',
    description: 'It goes to the ledger, in the name of who asked for it.',
    confirmation: `I looked at the account, and ${number(change.credits)} is right.`,
    last,
  })
