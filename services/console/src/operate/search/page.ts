import { html } from '@filmgate/kit/http/html'
import type { Operator } from '../access/require-operator'
import { operatePage } from '../layout/operate-page'
import { table } from '../layout/parts'
import { type Found, searchCharactersMax } from './search'

type View = { operator: Operator; text: string; found: Found | undefined }

export const searchPage = ({ operator, text, found }: View): string =>
  operatePage({
    operator,
    section: 'search',
    title: 'Search',
    content: html`<form class="search" method="get" action="/operate/search" role="search">
<label for="text">Search</label>
<div class="row"><input id="text" name="text" type="search" value="${text}" maxlength="${searchCharactersMax}" autocomplete="off" aria-describedby="text-hint" required> <button class="second">Search</button></div>
<p class="hint" id="text-hint">An e-mail address, a name, the ID of an account, a task or a purchase, a provider’s task ID, or how an API key begins.</p>
</form>
${found && results(found)}`,
  })

const results = ({ hits, errors }: Found) => html`${errors.map(error => html`<p class="notice wrong" role="alert">${error}</p>`)}
${table(
  'Results',
  ['Kind', 'Found', 'Details'],
  hits.map(({ kind, title, detail, path }) => [kind, html`<a href="${path}">${title}</a>`, html`<div class="wide-cell">${detail}</div>`]),
  'Nothing was found.',
)}`
