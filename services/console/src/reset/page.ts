import { html } from '@filmgate/kit/http/html'
import { passwordLengthMax, passwordLengthMin } from '../auth/create-auth'
import { field, hidden, usernameOf } from '../layout/field'
import { page } from '../layout/page'
import { linkRequestPage } from '../sign-in/link-pages'

export const requestResetPage = (email = '', issue?: string): string =>
  linkRequestPage({ title: 'Choose a new password', action: '/reset', email, issue })

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
