import { type Html, html } from '@filmgate/kit/http/html'
import { mayActAs } from '@filmgate/kit/operator/act'
import type { AccountRow } from '@filmgate/proto/operator/account'
import { actForm } from '../acts/act-form'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'
import { accountPath } from '../layout/menu'
import { newChangeId } from './change-credits'

/** To grant and to debit. An act whose answer is not known keeps its id: sent again it counts once. */
export function changeForms(operator: Operator, account: AccountRow, last: ActRow | undefined): Html {
  if (!mayActAs(operator.role, 'money')) return html`<p class="soft">Granting and debiting need the role money.</p>`
  const path = accountPath(account.account_id)
  return html`${actForm(operator, {
    act: 'credits_granted',
    path: `${path}/grants`,
    title: 'Grant credits…',
    button: 'Grant',
    what: 'The reason stays in the ledger for good.',
    meant: `I mean “${account.name}”.`,
    fields: fields('credits_granted', last),
    last,
  })}
${actForm(operator, {
  act: 'credits_debited',
  path: `${path}/debits`,
  title: 'Debit credits…',
  button: 'Debit',
  what: 'Never takes more than there is. The reason stays in the ledger for good.',
  meant: `I mean “${account.name}”.`,
  fields: fields('credits_debited', last),
  last,
})}`
}

function fields(act: 'credits_granted' | 'credits_debited', last: ActRow | undefined): Html {
  const again = last?.act === act && last.outcome !== 'done' ? last : undefined
  const change = again && again.outcome !== 'refused' ? again.subject : newChangeId()
  const starter = again?.details.balance === 'starter'
  return html`<input type="hidden" name="change" value="${change}">
<label for="${act}-credits">Credits</label>
<input id="${act}-credits" name="credits" inputmode="numeric" pattern="[0-9]{1,13}" required autocomplete="off" value="${again ? String(again.details.credits) : ''}">
<label for="${act}-balance">Balance</label>
<select id="${act}-balance" name="balance"><option value="paid">paid: for the API and the console</option><option value="starter"${starter && html` selected`}>starter: for the console alone</option></select>`
}
