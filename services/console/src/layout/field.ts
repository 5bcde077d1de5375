import { type Html, html } from '@filmgate/kit/http/html'

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
