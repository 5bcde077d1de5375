import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { isAtLeast } from '../accounts/roles'
import { hidden } from '../layout/field'
import { accountPath } from '../layout/menu'
import { credits, number } from '../layout/numbers'
import { page } from '../layout/page'
import { table } from '../layout/table'
import { modeLabel } from '../models/field-text'
import type { Models } from '../models/model'
import { viewerNotice } from '../playground/form/request-form'
import { balancesAfter } from '../playground/price'
import type { ModelSelection } from '../playground/select-model'
import type { PricedRow, PricedRows } from './price-rows'
import { fieldNames, rowsMax } from './read-rows'
import { rowFormId } from './row-form-id'

export type BatchView = MemberContext &
  ModelSelection & {
    models: Models
    /** As it was entered. */
    text: string
    batchId: string
    /** Undefined before it was checked. */
    checked?: PricedRows
    creditsLink: Html
  }

export const batchPath = (accountId: string): string => `${accountPath(accountId, 'playground')}/batch`

export const batchPage = (view: BatchView): string =>
  page({
    title: 'Make many videos',
    person: view.person,
    account: { member: view.member, memberships: view.memberships, section: 'playground' },
    scripts: ['batch.browser.js'],
    content: html`${entryForm(view)}
${view.checked && view.checked.issue === undefined && checkedRows(view, view.checked)}`,
  })

function entryForm({ member, models, model, modeName, mode, text, batchId, checked }: BatchView): Html {
  const issue = checked?.issue
  const choices = models.data.flatMap(({ id, modes }) => Object.keys(modes).map(name => [id, name] as const))
  return html`<form method="post" action="${batchPath(member.accountId)}">
${hidden('batch', batchId)}
<label for="choice">Model</label>
<select id="choice" name="choice">${choices.map(
    ([id, name]) =>
      html`<option value="${id} ${name}"${id === model.id && name === modeName && html` selected`}>${id}, ${modeLabel(name).toLowerCase()}</option>`,
  )}</select>
<label for="text">Prompts</label>
<textarea id="text" name="text" rows="8" aria-describedby="text-hint${issue !== undefined && ' text-issue'}"${issue !== undefined && html` aria-invalid="true"`} placeholder="A paper boat on a rainy street&#10;A kite over wet fields">${text}</textarea>
<p class="hint" id="text-hint">One prompt a line, at most ${rowsMax}. Or CSV whose first row names the columns: ${fieldNames(mode).join(', ')}.</p>
${issue !== undefined && html`<p class="issue" id="text-issue">${issue}</p>`}
<p class="row"><input type="file" id="file" accept=".csv,.txt,text/csv,text/plain" aria-label="A file of prompts" hidden><button type="button" class="second" id="choose-file" hidden>Choose a file</button><button class="second">Check and show the price</button></p>
<p class="issue" role="alert" id="entry-issue"></p>
</form>`
}

function checkedRows(view: BatchView, { rows, balances }: PricedRows): Html {
  const total = rows.reduce((sum, row) => sum + (row.credits ?? 0), 0)
  const count = rows.filter(({ credits }) => credits !== undefined).length
  const left = rows.length - count
  const sent = sentRows(view, rows)
  const canMake = isAtLeast(view.member.role, 'member') && count > 0
  return html`<section class="panel" id="batch" data-batch="${view.batchId}" data-make="${accountPath(view.member.accountId, 'playground')}">
<h2>${credits(total)} for ${number(count)} ${count === 1 ? 'video' : 'videos'}</h2>
${left > 0 && html`<p class="bad">${number(left)} ${left === 1 ? 'row has' : 'rows have'} an error and will be left out.</p>`}
${balances && balancesAfter(balances, { credits: total, sufficient_credits: total <= balances.available_credits + balances.starter_credits }, view.creditsLink)}
<noscript><p class="notice">Batches are made by a script. Allow scripts for this page.</p></noscript>
${
  canMake
    ? html`<label for="budget">Spend at most</label>
<input id="budget" type="number" inputmode="numeric" min="1" step="1" value="${total}" aria-describedby="budget-hint">
<p class="hint" id="budget-hint">In credits. The batch stops before it would spend more.</p>
<p class="row"><button type="button" id="make">Make the videos</button><button type="button" class="second" id="stop" hidden>Stop</button></p>
<p class="hint">Videos are asked for one after another, and as many run at once as your account may have. Keep this page open until all are asked for. After a reload press the button again: none is made twice.</p>
<p role="status" id="progress"></p>`
    : count > 0 && viewerNotice
}
</section>
${table(
  'Rows',
  [{ title: 'Row' }, { title: 'Prompt' }, { title: 'Settings' }, { title: 'Credits', number: true }, { title: 'Status' }],
  rows.map((row, index) => [
    index + 1,
    html`<span class="prompt">${row.values.prompt ?? ''}</span>`,
    settingsText(row),
    row.credits ?? '–',
    row.credits === undefined ? html`<span class="bad">${row.issue}</span>` : rowStatus(sent[index] as SentRow, row.credits),
  ]),
)}`
}

/** What was set beside the prompt. */
const settingsText = ({ values }: PricedRow): string =>
  Object.entries(values)
    .filter(([name, value]) => name !== 'prompt' && value !== '')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

type SentRow = { formId: string; fields: string }

/** What the script sends for each row. A price that rises meanwhile refuses the row. */
function sentRows({ batchId, model, modeName, mode }: BatchView, rows: PricedRow[]): SentRow[] {
  const repeated = new Map<string, number>()
  return rows.map(({ values, credits }) => {
    const isSent = ([name, value]: [string, string]) =>
      value !== '' && (mode.schema.properties[name]?.type !== 'boolean' || value === 'true')
    const own = Object.fromEntries(Object.entries(values).filter(isSent))
    const request = new URLSearchParams({ model: model.id, mode: modeName, ...own }).toString()
    const repetition = repeated.get(request) ?? 0
    repeated.set(request, repetition + 1)
    const fields = new URLSearchParams({ model: model.id, mode: modeName, ...own, max_credits: String(credits) }).toString()
    return { formId: rowFormId(batchId, request, repetition), fields }
  })
}

/** Where the script says what became of a row. */
const rowStatus = ({ formId, fields }: SentRow, credits: number): Html =>
  html`<span data-row="${formId}" data-fields="${fields}" data-credits="${credits}">Ready</span>`
