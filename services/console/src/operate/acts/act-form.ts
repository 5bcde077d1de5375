import { type Html, html } from '@filmgate/kit/http/html'
import { mayActAs } from '@filmgate/kit/operator/act'
import { newFormId } from '../../door/take-once'
import type { Operator } from '../door/operator-of'
import { type ActName, roleFor } from './act-names'
import type { ActRow } from './act-repository'

export type ActForm = {
  act: ActName
  /** Where the form is sent. */
  path: string
  /** On what is opened, and on the button that does it. */
  title: string
  button: string
  /** What happens then. */
  what: string | Html
  /** What is ticked: it names what is acted on. */
  meant: string
  fields?: Html
  /** Tells the ids of two forms of a page apart. */
  key?: string
  /** The act that this page shows the result of. */
  last?: ActRow | undefined
}

/** The form of an act, closed until it is wanted; nothing for whose role is too low. What was refused stands there again. */
export function actForm({ role }: Operator, { act, path, title, button, what, meant, fields, key = '', last }: ActForm): Html | false {
  if (!mayActAs(role, roleFor(act))) return false
  const again = last?.act === act && last.outcome !== 'done' && (key === '' || last.subject === key)
  const id = key === '' ? act : `${act}-${key.replace(/[^A-Za-z0-9]/g, '-')}`
  return html`<details class="act"${again && html` open`}>
<summary>${title}</summary>
<form method="post" action="${path}">
<p>${what}</p>
<input type="hidden" name="form" value="${newFormId()}">
${fields}
<label for="${id}-reason">Reason</label>
<input id="${id}-reason" name="reason" maxlength="500" required autocomplete="off" value="${again ? last.reason : ''}">
<label class="check"><input type="checkbox" name="confirm" value="yes" required> ${meant}</label>
<p class="row"><button>${button}</button></p>
</form>
</details>`
}
