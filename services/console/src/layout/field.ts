import { type Html, html } from '@filmgate/kit/http/html'
import type { KeyView } from '../gateway/gateway'

type Field = {
  name: string
  label: string
  value?: string
  type?: 'text' | 'email' | 'date' | 'password'
  hint?: string | Html
  /** The error message of the value. */
  issue?: string | undefined
  required?: boolean
  minLength?: number
  maxLength?: number
  autocomplete?: string
}

/** An input with its label, hint and error message, linked for screen readers. */
export function field({
  name,
  label,
  value = '',
  type = 'text',
  hint,
  issue,
  required,
  minLength,
  maxLength,
  autocomplete = 'off',
}: Field): Html {
  const described = [hint !== undefined && `${name}-hint`, issue !== undefined && `${name}-issue`].filter(id => id !== false).join(' ')
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${minLength !== undefined && html` minlength="${minLength}"`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${
    required && html` required`
  }${described !== '' && html` aria-describedby="${described}"`}${issue !== undefined && html` aria-invalid="true"`}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${issue !== undefined && html`<p class="issue" id="${name}-issue">${issue}</p>`}`
}

/** Tells password managers which account a password form belongs to. */
export const usernameOf = (email: string): Html => html`<input type="text" name="username" autocomplete="username" value="${email}" hidden>`

export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

/** A search with its button; `hint` says what is searched. */
export const searchField = ({
  value,
  hint,
  maxLength,
  required,
}: Pick<Field, 'value' | 'hint' | 'maxLength' | 'required'>): Html => html`<label for="text">Search</label>
<div class="row"><input id="text" name="text" type="search" value="${value}" maxlength="${maxLength}" autocomplete="off" aria-describedby="text-hint"${required && html` required`}> <button class="second">Search</button></div>
<p class="hint" id="text-hint">${hint}</p>`

/** Selects for the filter of a list. An empty value is no filter; a chosen value that is not in the list any more stays. */
export const modelSelect = (models: string[], chosen: string): Html => html`<label for="model">Model</label>
<select id="model" name="model"><option value="">All models</option>
${[...new Set([...models, chosen])].filter(model => model !== '').map(model => html`<option${model === chosen && html` selected`}>${model}</option>`)}
</select>`

export const keySelect = (keys: KeyView[], chosen: string, all = 'All, and the console'): Html => html`<label for="key">API key</label>
<select id="key" name="key"><option value="">${all}</option>
${keys.map(({ key_id, name }) => html`<option value="${key_id}"${key_id === chosen && html` selected`}>${name}</option>`)}
</select>`

const dayForm = /^\d{4}-\d{2}-\d{2}$/
const dayMs = 86_400_000

/** The midnight in UTC at which a day such as 2026-11-23 begins; undefined for what is no day. */
export function beginningOf(day: string): Date | undefined {
  const at = new Date(`${day}T00:00:00Z`)
  return dayForm.test(day) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? at : undefined
}

/** The midnight at which it ends. */
export function endOf(day: string): Date | undefined {
  const beginning = beginningOf(day)
  return beginning && new Date(beginning.getTime() + dayMs)
}

export const wrongDays = 'Enter dates such as 2026-11-23.'
export const daysReversed = 'The first day is after the last.'
