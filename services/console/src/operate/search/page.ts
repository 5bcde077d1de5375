import { html } from '@filmgate/kit/http/html'
import { searchField } from '../../layout/field'
import type { Operator } from '../access/require-operator'
import { operatePage } from '../layout/operate-page'
import { table } from '../layout/parts'
import { type Found, searchCharactersMax } from './search'

const searchHint =
  'An e-mail address, a name, the ID of an account, a task, a request or a purchase, a provider’s task ID, or how an API key begins.'

type View = { operator: Operator; text: string; found: Found | undefined }

export const searchPage = ({ operator, text, found }: View): string =>
  operatePage({
    operator,
    section: 'search',
    title: 'Search',
    content: html`<form class="search" method="get" action="/operate/search" role="search">
${searchField({ value: text, hint: searchHint, maxLength: searchCharactersMax, required: true })}
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
