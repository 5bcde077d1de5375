import { type Html, html } from '@filmgate/kit/http/html'

/** A heading that can be linked to. */
export const heading = (level: 2 | 3, id: string, words: string): Html => {
  const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to ${words}">#</a>`
  return level === 2 ? html`<h2 id="${id}">${words} ${anchor}</h2>` : html`<h3 id="${id}">${words} ${anchor}</h3>`
}

export type Row = { id?: string; cells: (Html | string | number | (Html | string)[])[] }

/**
 * A table that scrolls by itself where it is too wide, also by keyboard. On a phone each row is a block whose cells carry the names of their
 * columns; the roles keep it a table for those who hear it.
 */
export const table = (label: string, columns: string[], rows: Row[]): Html => html`
<div class="scroll" role="group" tabindex="0" aria-label="${label}"><table role="table"><thead role="rowgroup"><tr role="row">${columns.map(words => html`<th role="columnheader" scope="col">${words}</th>`)}</tr></thead><tbody role="rowgroup">
${rows.map(({ id, cells }) => html`<tr role="row"${id !== undefined && html` id="${id}"`}>${cells.map((cell, index) => html`<td role="cell" data-label="${columns[index]}">${cell}</td>`)}</tr>`)}
</tbody></table></div>`

/** Code with room for a copy button, which the script puts there. */
export const code = (text: string | Html, label: string): Html =>
  html`<div class="code"><pre tabindex="0" aria-label="${label}" role="group"><code>${text}</code></pre></div>`

/** Turns `word` into a code element. */
export const coded = (text: string): (Html | string)[] =>
  text.split('`').map((words, index) => (index % 2 === 1 ? html`<code>${words}</code>` : words))
