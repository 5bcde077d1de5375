import { type Html, html } from '@filmgate/kit/http/html'
import { hasRole } from '@filmgate/kit/operator/needs-role'
import type { AccountRow } from '@filmgate/proto/operator/account'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { accountPath } from '../layout/menu'
import { newChangeId } from './change-credits'

/** Forms to grant and to debit. An action with an unknown outcome keeps its id, so that resending counts once. */
export function changeForms(operator: Operator, account: AccountRow, last: ActionRow | undefined): Html {
  if (!hasRole(operator.role, 'money')) return html`<p class="soft">Granting and debiting need the role money.</p>`
  const path = accountPath(account.account_id)
  return html`${actionForm(operator, {
    action: 'credits_granted',
    path: `${path}/grants`,
    title: 'Grant credits…',
    button: 'Grant',
    description: 'The reason is stored in the ledger permanently.',
    confirmation: `I confirm the account “${account.name}”.`,
    fields: fields('credits_granted', last),
    last,
  })}
${actionForm(operator, {
  action: 'credits_debited',
  path: `${path}/debits`,
  title: 'Debit credits…',
  button: 'Debit',
  description: 'Debits at most the available balance. The reason is stored in the ledger permanently.',
  confirmation: `I confirm the account “${account.name}”.`,
  fields: fields('credits_debited', last),
  last,
})}`
}

function fields(action: 'credits_granted' | 'credits_debited', last: ActionRow | undefined): Html {
  const previousAttempt = last?.action === action && last.outcome !== 'done' ? last : undefined
  const change = previousAttempt && previousAttempt.outcome !== 'refused' ? previousAttempt.subject : newChangeId()
  const starter = previousAttempt?.details.balance === 'starter'
  return html`<input type="hidden" name="change" value="${change}">
<label for="${action}-credits">Credits</label>
<input id="${action}-credits" name="credits" inputmode="numeric" pattern="[0-9]{1,13}" required autocomplete="off" value="${previousAttempt ? String(previousAttempt.details.credits) : ''}">
<label for="${action}-balance">Balance</label>
<select id="${action}-balance" name="balance"><option value="paid">paid: for the API and the console</option><option value="starter"${starter && html` selected`}>starter: for the console alone</option></select>`
}
