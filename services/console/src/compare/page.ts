import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { type Notice, page } from '../layout/page'
import { lengthMax, type Mode, type Model } from '../models/model'
import type { Values } from '../playground/form/build-request'
import { fields, type Issues } from '../playground/form/fields'
import { modeLinks, requestForm } from '../playground/form/request-form'
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
${videosForm(view)}
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
  return html`<div class="choice">
<p>${ids.length > 0 && html`${ids.join(', ')} · `}<a href="${choicePath(member.accountId, ids)}">${ids.length > 0 ? 'Change models' : 'All models'}</a></p>
${leftOut.length > 0 && html`<p class="soft">At most ${comparedMax} are compared. Left out: ${leftOut.join(', ')}.</p>`}
${
  modeNames.length > 0 &&
  modeLinks({
    label: 'What the videos are made from',
    names: modeNames,
    current: modeName,
    pathOf: name => comparisonPath(member.accountId, ids, name),
  })
}
</div>`
}

function videosForm(view: CompareView): Html {
  const { member, models, modeName, formIds, uploads, price } = view
  const ids = models.map(({ id }) => id)
  const unavailable = models.filter(({ available }) => !available).map(({ id }) => id)
  return requestForm({
    ...{ member, uploads, price, path: comparePath(member.accountId) },
    // Uploads are judged by the first model.
    hiddenFields: { form: formIds.join(' '), models: ids.join(' '), model: ids[0] ?? '', mode: modeName },
    legend: 'The videos',
    content: html`${fields({ ...view, model: shortestPrompt(models) })}
<p class="hint">Only the settings that all these models have are shown. The others are each model’s own defaults.</p>`,
    button: `Make ${models.length} videos`,
    isAvailable: unavailable.length === 0,
    note: unavailable.length > 0 && html`<p class="bad">Not available now: ${unavailable.join(', ')}. Choose others.</p>`,
  })
}

/** Its limit holds for each of the models. */
const shortestPrompt = (models: Model[]): Model => {
  const limitOf = (model: Model) => lengthMax(model, 'prompt') ?? Number.POSITIVE_INFINITY
  return models.reduce((shortest, model) => (limitOf(model) < limitOf(shortest) ? model : shortest))
}
