import { html } from '@filmgate/kit/http/html'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'

/** The form to open an account. */
export function openForm(operator: Operator, last: ActionRow | undefined) {
  const previousAttempt = last?.action === 'account_opened' && last.outcome !== 'done' ? last : undefined
  const { credits = '', starter = 0 } = previousAttempt?.details ?? {}
  const creditsField = (name: string, label: string, value: string) => html`<div><label for="account_opened-${name}">${label}</label>
<input id="account_opened-${name}" name="${name}" inputmode="numeric" pattern="[0-9]{1,13}" required autocomplete="off" value="${value}"></div>`
  return actionForm(operator, {
    action: 'account_opened',
    path: '/operate/accounts',
    title: 'Open an account…',
    button: 'Open the account',
    description: 'An API account without members. Its first key is shown to you once. People who use the console open their own account.',
    confirmation: 'The customer has no account yet.',
    fields: html`<label for="account_opened-name">Name</label>
<input id="account_opened-name" name="name" maxlength="200" required autocomplete="off" value="${previousAttempt?.subject ?? ''}">
<div class="fields">${creditsField('credits', 'Paid credits', String(credits))}${creditsField('starter', 'Starter credits', String(starter))}</div>`,
    last,
  })
}
