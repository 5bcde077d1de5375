import { type Html, html } from '@filmgate/kit/http/html'
import { table as listTable } from '../../layout/table'
import { accountPath, taskPath } from './menu'

export type Cell = Html | string | number | false | undefined
export type Column = string | { name: string; number: true }

/** The console's table with shorter column definitions; `none` is shown if there are no rows. */
export const table = (label: string, columns: Column[], rows: Cell[][], none = 'None.'): Html =>
  rows.length === 0
    ? html`<p class="soft">${none}</p>`
    : listTable(
        label,
        columns.map(column => (typeof column === 'string' ? { title: column } : { title: column.name, number: true })),
        rows.map(row => row.map(cell => (cell === false || cell === undefined ? '' : cell))),
      )

/** A list of names and values; empty values are left out. */
export const facts = (pairs: [name: string, value: Cell | null][]): Html => html`<dl class="facts">
${pairs.flatMap(([name, value]) =>
  value === null || value === undefined || value === false || value === '' ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`],
)}</dl>`

/** Pagination links: the same address with another cursor. */
export function pages(url: string, next: string | number | null | undefined): Html | false {
  const { pathname, searchParams } = new URL(url)
  const later = searchParams.has('cursor')
  if (!next && !later) return false
  const to = (cursor: string | undefined) => {
    const query = new URLSearchParams(searchParams)
    query.delete('act')
    query.delete('cursor')
    if (cursor !== undefined) query.set('cursor', cursor)
    return query.size > 0 ? `${pathname}?${query}` : pathname
  }
  return html`<nav class="pages" aria-label="Pages">${later && html`<a href="${to(undefined)}">First page</a>`}${next !== null && next !== undefined && html`<a href="${to(String(next))}">Next page</a>`}</nav>`
}

const good = new Set(['completed', 'settled', 'applied', 'ready', 'active', 'done', 'accepted', 'taken', 'counted', 'refunded'])
const bad = new Set(['failed', 'refused', 'declined', 'review', 'uncertain', 'silent', 'unknown', 'open', 'held', 'revoked'])

/** A state as a tag, coloured if it is good or bad. */
export const tag = (state: string | null | undefined): Html | false =>
  state !== null &&
  state !== undefined &&
  html`<span class="tag${good.has(state) ? ' good' : bad.has(state) ? ' bad' : ''}">${state.replaceAll('_', ' ')}</span>`

export const taskLink = (id: string): Html => html`<a class="mono" href="${taskPath(id)}">${id}</a>`
export const accountLink = (id: string): Html => html`<a class="mono" href="${accountPath(id)}">${id}</a>`

/** An object's fields on one line. */
export const detailsText = (details: object): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' · ')
