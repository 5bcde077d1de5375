import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { accountPath } from '../layout/menu'
import { type Notice, page } from '../layout/page'
import type { Mode, Model, Models } from '../models/model'
import { type Language, languages } from './examples'
import type { Values } from './form/build-request'
import { fields, type Issues } from './form/fields'
import { modeLinks, requestForm } from './form/request-form'

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
${videoForm(view)}
${examplesSection(view)}
</div>`,
  })

function modelChoice({ member, models, model, modeName }: PlaygroundView): Html {
  const path = accountPath(member.accountId, 'playground')
  const families = Map.groupBy(models.data, each => each.family)
  const option = ({ id, available }: Model) =>
    html`<option value="${id}"${id === model.id && html` selected`}>${id}${!available && ' (not available now)'}</option>`
  const pathOf = (mode: string) => `${path}?${new URLSearchParams({ model: model.id, mode }).toString()}`
  return html`<div class="choice">
<form method="get" action="${path}" class="choose">
<label for="model">Model</label>
<div class="line"><select id="model" name="model">${[...families].map(([family, members]) => html`<optgroup label="${family}">${members.map(option)}</optgroup>`)}</select>
<button class="second">Show</button></div>
</form>
<p class="note"><a href="${accountPath(member.accountId, 'models')}?model=${model.id}">Compare ${model.id} with other models</a> · <a href="${path}/batch?model=${model.id}&mode=${modeName}">Make many videos</a></p>
${modeLinks({ label: 'What the video is made from', names: Object.keys(model.modes), current: modeName, pathOf })}
${!model.available && html`<p class="notice wrong">${model.id} is not available now. Choose another model, or come back later.</p>`}
${model.notes.length > 0 && html`<p class="soft note">${model.notes.join(' ')}</p>`}
</div>`
}

function videoForm(view: PlaygroundView): Html {
  const { member, model, modeName, formId, uploads, price } = view
  return requestForm({
    ...{ member, uploads, price, path: accountPath(member.accountId, 'playground') },
    hiddenFields: { form: formId, model: model.id, mode: modeName },
    legend: 'The video',
    content: html`${fields(view)}
${recentPrompts(view)}`,
    button: 'Make the video',
    isAvailable: model.available,
  })
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
