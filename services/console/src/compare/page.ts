import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { isAtLeast } from '../accounts/roles'
import { hidden } from '../layout/field'
import { type Notice, page } from '../layout/page'
import { modeLabel } from '../models/field-text'
import { lengthMax, type Mode, type Model } from '../models/model'
import type { Values } from '../playground/form/build-request'
import { fields, type Issues } from '../playground/form/fields'
import { choicePath, comparePath, comparisonPath } from './paths'
import { comparedMax, type ModelsSelection } from './select-models'

type Shown = MemberContext & Omit<ModelsSelection, 'mode'> & { notice?: Notice }
export type CompareView = Shown & {
  mode: Mode
  values: Values
  issues: Issues
  price: Html
  /** One for each model. */
  formIds: string[]
  uploads: boolean
}

const title = 'Compare models'

export const comparePage = (view: CompareView): string =>
  page({
    ...frameOf(view),
    scripts: ['playground.browser.js', ...(view.uploads ? ['uploads.browser.js'] : [])],
    content: html`<div id="playground" class="playground">
${choice(view)}
${requestForm(view)}
</div>`,
  })

/** For too few models, or models without a common mode. */
export const nothingToCompare = (view: Shown): string =>
  page({
    ...frameOf(view),
    content: html`<div class="playground">${choice(view)}<div class="empty"><p>${
      view.models.length < 2
        ? `Choose from two to ${comparedMax} models.`
        : 'These models make no videos from the same things. Choose others.'
    }</p></div></div>`,
  })

const frameOf = ({ person, member, memberships, notice }: Shown) =>
  ({ title, person, account: { member, memberships, section: 'playground' }, notice }) as const

function choice({ member, models, leftOut, modeNames, modeName }: Shown): Html {
  const ids = models.map(({ id }) => id)
  const link = (name: string) =>
    html`<li><a href="${comparisonPath(member.accountId, ids, name)}"${name === modeName && html` aria-current="true"`}>${modeLabel(name)}</a></li>`
  return html`<div class="choice">
<p>${ids.length > 0 && html`${ids.join(', ')} · `}<a href="${choicePath(member.accountId, ids)}">${ids.length > 0 ? 'Change models' : 'All models'}</a></p>
${leftOut.length > 0 && html`<p class="soft">At most ${comparedMax} are compared. Left out: ${leftOut.join(', ')}.</p>`}
${modeNames.length > 0 && html`<nav class="modes" aria-label="What the videos are made from"><ul>${modeNames.map(link)}</ul></nav>`}
</div>`
}

function requestForm(view: CompareView): Html {
  const { member, models, modeName, formIds, uploads, price } = view
  const [first] = models
  const path = comparePath(member.accountId)
  const canCreate = isAtLeast(member.role, 'member')
  const unavailable = models.filter(({ available }) => !available)
  return html`<form method="post" action="${path}" class="making" id="request" data-estimate="${path}/estimate"${
    uploads && html` data-uploads="/accounts/${member.accountId}/uploads"`
  }>
${hidden('form', formIds.join(' '))}${hidden('models', models.map(({ id }) => id).join(' '))}${hidden('model', first?.id ?? '')}${hidden('mode', modeName)}
<fieldset class="request"${!canCreate && html` disabled`}><legend class="hidden">The videos</legend>
${!canCreate && html`<p class="notice">You are a viewer of this account. Only members and owners can create videos.</p>`}
${fields({ ...view, model: shortestPrompt(models) })}
<p class="hint">Only the settings that all these models have are shown. The others are each model’s own defaults.</p>
</fieldset>
<aside class="price" aria-label="Price">
<h2>Price</h2>
<div id="price" aria-live="polite">${price}</div>
<button class="make"${(!canCreate || unavailable.length > 0) && html` disabled`}>Make ${models.length} videos</button>
${unavailable.length > 0 && html`<p class="bad">Not available now: ${unavailable.map(({ id }) => id).join(', ')}. Choose others.</p>`}
<p class="status soft" id="sending" role="status"></p>
</aside>
</form>`
}

/** Its limit holds for each of the models. */
const shortestPrompt = (models: Model[]): Model => {
  const limitOf = (model: Model) => lengthMax(model, 'prompt') ?? Number.POSITIVE_INFINITY
  return models.reduce((shortest, model) => (limitOf(model) < limitOf(shortest) ? model : shortest))
}
