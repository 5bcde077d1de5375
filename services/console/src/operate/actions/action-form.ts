import { type Html, html } from '@filmgate/kit/http/html'
import { hasRole } from '@filmgate/kit/operator/needs-role'
import { newFormId } from '../../http/submit-once'
import type { Operator } from '../access/require-operator'
import type { ActionRow } from './action-repository'
import { type OperatorActionName, requiredRole } from './operator-actions'

export type ActionForm = {
  action: OperatorActionName
  /** Where the form is posted to. */
  path: string
  /** The summary that opens the form, and the label of its button. */
  title: string
  button: string
  /** What the action does. */
  description: string | Html
  /** The text of the checkbox: it names the object of the action. */
  confirmation: string
  fields?: Html
  /** Distinguishes several forms of the same action on a page. */
  key?: string
  /** The action whose result this page shows. */
  last?: ActionRow | undefined
}

/**
 * The collapsed form of an operator action; nothing if the role is too low. After a rejection it is open with the
 * previous values.
 */
export function actionForm(
  { role }: Operator,
  { action, path, title, button, description, confirmation, fields, key = '', last }: ActionForm,
): Html | false {
  if (!hasRole(role, requiredRole(action))) return false
  const previousAttempt = last?.action === action && last.outcome !== 'done' && (key === '' || last.subject === key)
  const id = key === '' ? action : `${action}-${key.replace(/[^A-Za-z0-9]/g, '-')}`
  return html`<details class="act"${previousAttempt && html` open`}>
<summary>${title}</summary>
<form method="post" action="${path}">
<p>${description}</p>
<input type="hidden" name="form" value="${newFormId()}">
${fields}
<label for="${id}-reason">Reason</label>
<input id="${id}-reason" name="reason" maxlength="500" required autocomplete="off" value="${previousAttempt ? last.reason : ''}">
<label class="check"><input type="checkbox" name="confirm" value="yes" required> ${confirmation}</label>
<p class="row"><button>${button}</button></p>
</form>
</details>`
}
