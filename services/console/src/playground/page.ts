import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { isAtLeast } from '../accounts/roles'
import { accountPath } from '../layout/menu'
import { type Notice, page } from '../layout/page'
import { modeLabel } from '../models/field-text'
import type { Mode, Model, Models } from '../models/model'
import { type Language, languages } from './examples'
import type { Values } from './form/build-request'
import { fields, type Issues } from './form/fields'

export type PlaygroundView = MemberContext & {
  models: Models
  model: Model
  modeName: string
  mode: Mode
  values: Values
  issues: Issues
  price: Html
  examples: Record<Language, string>
  /** Of the latest videos, newest first. */
  prompts: string[]
  formId: string
  uploads: boolean
  notice?: Notice
}

export const playgroundPage = (view: PlaygroundView): string =>
  page({
    title: 'Playground',
    person: view.person,
    account: { member: view.member, memberships: view.memberships, section: 'playground' },
    notice: view.notice,
    scripts: ['playground.browser.js', ...(view.uploads ? ['uploads.browser.js'] : [])],
    content: html`<div id="playground" class="playground">
${modelChoice(view)}
${requestForm(view)}
${examplesSection(view)}
</div>`,
  })

function modelChoice({ member, models, model, modeName }: PlaygroundView): Html {
  const path = accountPath(member.accountId, 'playground')
  const families = Map.groupBy(models.data, each => each.family)
  const option = ({ id, available }: Model) =>
    html`<option value="${id}"${id === model.id && html` selected`}>${id}${!available && ' (not available now)'}</option>`
  const link = (name: string) =>
    html`<li><a href="${path}?${new URLSearchParams({ model: model.id, mode: name }).toString()}"${name === modeName && html` aria-current="true"`}>${modeLabel(name)}</a></li>`
  return html`<div class="choice">
<form method="get" action="${path}" class="choose">
<label for="model">Model</label>
<div class="line"><select id="model" name="model">${[...families].map(([family, members]) => html`<optgroup label="${family}">${members.map(option)}</optgroup>`)}</select>
<button class="second">Show</button></div>
</form>
<p class="note"><a href="${accountPath(member.accountId, 'models')}?model=${model.id}">Compare ${model.id} with other models</a> · <a href="${path}/batch?model=${model.id}&mode=${modeName}">Make many videos</a></p>
<nav class="modes" aria-label="What the video is made from"><ul>${Object.keys(model.modes).map(link)}</ul></nav>
${!model.available && html`<p class="notice wrong">${model.id} is not available now. Choose another model, or come back later.</p>`}
${model.notes.length > 0 && html`<p class="soft note">${model.notes.join(' ')}</p>`}
</div>`
}

function requestForm(view: PlaygroundView): Html {
  const { member, model, modeName, formId, uploads, price } = view
  const path = accountPath(member.accountId, 'playground')
  const canCreate = isAtLeast(member.role, 'member')
  return html`<form method="post" action="${path}" class="making" id="request" data-estimate="${path}/estimate"${
    uploads && html` data-uploads="/accounts/${member.accountId}/uploads"`
  }>
<input type="hidden" name="form" value="${formId}"><input type="hidden" name="model" value="${model.id}"><input type="hidden" name="mode" value="${modeName}">
<fieldset class="request"${!canCreate && html` disabled`}><legend class="hidden">The video</legend>
${!canCreate && html`<p class="notice">You are a viewer of this account. Only members and owners can create videos.</p>`}
${fields(view)}
${recentPrompts(view)}
</fieldset>
<aside class="price" aria-label="Price">
<h2>Price</h2>
<div id="price" aria-live="polite">${price}</div>
<button class="make"${(!canCreate || !model.available) && html` disabled`}>Make the video</button>
<p class="status soft" id="sending" role="status"></p>
</aside>
</form>`
}

/** With scripts a click only fills the prompt in. */
function recentPrompts({ member, model, modeName, prompts }: PlaygroundView): Html | false {
  if (prompts.length === 0) return false
  const path = accountPath(member.accountId, 'playground')
  const link = (prompt: string) =>
    html`<li><a href="${path}?${new URLSearchParams({ model: model.id, mode: modeName, prompt }).toString()}">${prompt}</a></li>`
  return html`<details class="rare prompts"><summary>Recent prompts</summary><ul>${prompts.map(link)}</ul></details>`
}

const examplesSection = ({ examples }: PlaygroundView): Html => html`<section class="same" aria-labelledby="same">
<h2 id="same">The same request in a program</h2>
<fieldset class="tabs"><legend class="hidden">Language</legend>${(Object.keys(languages) as Language[]).map(
  (language, index) =>
    html`<label><input type="radio" name="language" value="${language}" id="language-${language}"${index === 0 && html` checked`}>${languages[language]}</label>`,
)}</fieldset>
${(Object.keys(languages) as Language[]).map(
  language =>
    html`<div class="pane ${language}"><button type="button" class="second copy" data-copy="example-${language}" aria-label="Copy ${languages[language]}">Copy</button><pre tabindex="0" role="region" aria-label="${languages[language]}"><code id="example-${language}">${examples[language]}</code></pre></div>`,
)}
<p class="hint">Programs need an API key, and their files must be at https addresses. They are charged to the paid balance only.</p>
</section>`
