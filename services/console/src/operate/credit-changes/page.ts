import { html } from '@filmgate/kit/http/html'
import type { AwaitedChange } from '@filmgate/proto/operator/account'
import type { Listed } from '@filmgate/proto/operator/answer'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { operatePage } from '../layout/operate-page'
import { accountLink, table } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'

type View = { operator: Operator; changes: ServiceResult<Listed<AwaitedChange>>; last: ActionRow | undefined; notice: Notice | undefined }

export const changesPage = ({ operator, changes, last, notice }: View): string =>
  operatePage({
    operator,
    section: 'changes',
    title: 'Second approver',
    notice,
    content: html`<p>Grants and debits above the limit of one operator. A second operator with the role money must approve them before any credits move.</p>
${
  changes.ok
    ? table(
        'Grants and debits',
        ['Requested', 'Requested by', 'Account', 'Kind', { name: 'Credits', number: true }, 'Reason', ''],
        changes.value.data.map(change => [
          time(change.asked_at),
          change.operator ?? '',
          accountLink(change.account_id),
          `${change.kind}, ${change.balance}`,
          number(change.kind === 'debit' ? -change.credits : change.credits),
          html`<div class="wide-cell">${change.reason}</div>`,
          change.operator === operator.person.email ? html`<span class="soft">yours</span>` : approval(operator, change, last),
        ]),
        'Nothing to approve.',
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
    description: 'Sends the change to the ledger in the requester’s name.',
    confirmation: `I checked the account, and ${number(change.credits)} is correct.`,
    last,
  })
