import { html } from '@filmgate/kit/http/html'
import { passwordLengthMax, passwordLengthMin } from '../auth/create-auth'
import { field, hidden, usernameOf } from '../layout/field'
import { page } from '../layout/page'

export const requestResetPage = (email = '', issue?: string): string =>
  page({
    title: 'Choose a new password',
    content: html`<form method="post" action="/reset">
${field({ required: true, name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username', maxLength: 254, issue })}
<p class="row"><button>Send me a link</button> <a href="/sign-in">Back to sign-in</a></p>
</form>`,
  })

export const resetSentPage = (): string =>
  page({
    title: 'Check your mailbox',
    content: html`<p>If the address has an account, we have sent a link to it. The link works once and is valid for one hour.</p>
<p><a href="/sign-in">Back to sign-in</a></p>`,
  })

export const setPasswordPage = ({ token, email, issue }: { token: string; email: string; issue?: string }): string =>
  page({
    title: 'Your new password',
    content: html`<form method="post" action="/reset/set">
${hidden('token', token)}
${usernameOf(email)}
<p>For <strong>${email}</strong>.</p>
${field({
  required: true,
  name: 'password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  issue,
  hint: `At least ${passwordLengthMin} characters. All sessions will be signed out.`,
})}
<p class="row"><button>Set the password</button></p>
</form>`,
  })
