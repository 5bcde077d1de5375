import { type Html, html } from '@filmgate/kit/http/html'

export type Column = { title: string; number?: boolean }
type Cell = Html | string | number

/**
 * A table that becomes cards on narrow screens. Roles are explicit, because browsers drop them when CSS changes the
 * display. A row's first cell is its header.
 */
export const table = (caption: string, columns: Column[], rows: Cell[][]): Html => html`<table class="list" role="table">
<caption class="hidden">${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(
  ({ title, number }) =>
    html`<th role="columnheader" scope="col"${number && html` class="number"`}>${title === '' ? html`<span class="hidden">Actions</span>` : title}</th>`,
)}</tr></thead>
<tbody role="rowgroup">
${rows.map(
  cells => html`<tr role="row">${cells.map((cell, index) =>
    index === 0
      ? html`<th role="rowheader" scope="row">${cell}</th>`
      : html`<td role="cell"${columns[index]?.number && html` class="number"`}>${label(columns[index]?.title)}<div>${cell}</div></td>`,
  )}</tr>
`,
)}</tbody>
</table>`

const label = (title = ''): Html | false => title !== '' && html`<span class="label" aria-hidden="true">${title}</span>`

/** Links of a paginated list: to older rows, or back to the first page. */
export const pages = (
  path: string,
  { cursor, next, query = {} }: { cursor: string; next: string | null; query?: Record<string, string> },
): Html | false =>
  (cursor !== '' || next !== null) &&
  html`<nav class="pages" aria-label="Pages">
${cursor !== '' && html`<a href="${pathWith(path, query)}">Newest</a>`}
${next !== null && html`<a href="${pathWith(path, { ...query, cursor: next })}" rel="next">Older</a>`}
</nav>`

/** A path with the non-empty fields as its query. */
export function pathWith(path: string, fields: Record<string, string>): string {
  const set = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''))
  return set.size > 0 ? `${path}?${set}` : path
}
