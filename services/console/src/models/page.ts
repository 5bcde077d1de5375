import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { accountPath } from '../layout/menu'
import { page } from '../layout/page'
import { factsOf, priceText } from './describe-model'
import { modeLabel } from './field-text'
import type { ModelFilter } from './filter-models'
import type { Model } from './model'

type View = MemberContext & { models: Model[]; modeNames: string[]; filter: ModelFilter; chosen: Set<string> }

export const modelsPage = ({ person, member, memberships, models, modeNames, filter, chosen }: View): string =>
  page({
    title: 'Models',
    person,
    account: { member, memberships, section: 'models' },
    content: html`${filterForm(accountPath(member.accountId, 'models'), modeNames, filter)}
${
  models.length === 0
    ? html`<div class="empty"><p>No model makes such a video.</p><p><a href="${accountPath(member.accountId, 'models')}">Show all</a></p></div>`
    : modelList(accountPath(member.accountId, 'playground'), { models, filter, chosen })
}`,
  })

const filterForm = (
  path: string,
  modeNames: string[],
  filter: ModelFilter,
): Html => html`<form class="search" method="get" action="${path}">
<div class="fields">
<div><label for="mode">Made from</label><select id="mode" name="mode"><option value="">Anything</option>${modeNames.map(
  name => html`<option value="${name}"${name === filter.mode && html` selected`}>${modeLabel(name)}</option>`,
)}</select></div>
<div><label for="seconds">Length in seconds</label><input id="seconds" name="seconds" type="number" inputmode="numeric" min="1" max="9999" step="1" value="${filter.seconds}"></div>
</div>
<div class="row">${check('sound', 'With sound', filter.sound)}${check('references', 'Takes references', filter.references)}<button class="second">Show</button></div>
</form>`

const check = (name: string, label: string, checked: boolean): Html =>
  html`<label class="check"><input type="checkbox" name="${name}" value="true"${checked && html` checked`}>${label}</label>`

type List = { models: Model[]; filter: ModelFilter; chosen: Set<string> }

/** The cards are a form: what is checked is compared. */
const modelList = (playground: string, { models, filter, chosen }: List): Html => html`<form method="get" action="${playground}/compare">
${filter.mode !== '' && html`<input type="hidden" name="mode" value="${filter.mode}">`}
<ul class="cards models">${models.map(model => modelCard(playground, model, chosen.has(model.id)))}</ul>
<p class="row bar"><button>Compare the chosen models</button> <span class="soft">Two to four of them, with one prompt.</span></p>
</form>`

function modelCard(playground: string, model: Model, isChosen: boolean): Html {
  const { id, family, modes, available, notes } = model
  const price = priceText(model)
  const link = (mode: string) =>
    html`<li><a href="${playground}?${new URLSearchParams({ model: id, mode }).toString()}">${modeLabel(mode)}</a></li>`
  return html`<li class="card">
<div class="row"><span class="soft">${family}</span><label class="check"><input type="checkbox" name="model" value="${id}"${isChosen && html` checked`} aria-label="Compare ${id}">Compare</label></div>
<h2>${id}</h2>
${price !== undefined && html`<p><b>${price}</b></p>`}
${!available && html`<p class="bad">Not available now.</p>`}
<dl class="details">${factsOf(model).map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>
${notes.length > 0 && html`<p class="soft">${notes.join(' ')}</p>`}
<ul class="links" aria-label="Make a video with ${id}">${Object.keys(modes).map(link)}</ul>
</li>`
}
