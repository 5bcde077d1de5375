import { type Html, html } from '@filmgate/kit/http/html'
import type { Membership } from '../../accounts/account-repository'
import { isAtLeast } from '../../accounts/roles'
import { hidden } from '../../layout/field'
import { modeLabel } from '../../models/field-text'

type RequestForm = {
  member: Membership
  path: string
  uploads: boolean
  /** The names and values of hidden inputs. */
  hiddenFields: Record<string, string>
  legend: string
  content: Html
  price: Html
  button: string
  /** Whether it can be made now. `note` says why it can't, below the button. */
  isAvailable: boolean
  note?: Html | false
}

/** The form of a video, or of several, beside its price. `playground.browser.js` brings it to life. */
export function requestForm({
  member,
  path,
  uploads,
  hiddenFields,
  legend,
  content,
  price,
  button,
  isAvailable,
  note = false,
}: RequestForm): Html {
  const canCreate = isAtLeast(member.role, 'member')
  return html`<form method="post" action="${path}" class="making" id="request" data-estimate="${path}/estimate"${
    uploads && html` data-uploads="/accounts/${member.accountId}/uploads"`
  }>
${Object.entries(hiddenFields).map(([name, value]) => hidden(name, value))}
<fieldset class="request"${!canCreate && html` disabled`}><legend class="hidden">${legend}</legend>
${!canCreate && viewerNotice}
${content}
</fieldset>
<aside class="price" aria-label="Price">
<h2>Price</h2>
<div id="price" aria-live="polite">${price}</div>
<button class="make"${(!canCreate || !isAvailable) && html` disabled`}>${button}</button>
${note}
<p class="status soft" id="sending" role="status"></p>
</aside>
</form>`
}

export const viewerNotice: Html = html`<p class="notice">You are a viewer of this account. Only members and owners can create videos.</p>`

type Modes = { label: string; names: string[]; current: string; pathOf(name: string): string }

/** What a video is made from, as links to the form of each. */
export const modeLinks = ({ label, names, current, pathOf }: Modes): Html =>
  html`<nav class="modes" aria-label="${label}"><ul>${names.map(
    name => html`<li><a href="${pathOf(name)}"${name === current && html` aria-current="true"`}>${modeLabel(name)}</a></li>`,
  )}</ul></nav>`
