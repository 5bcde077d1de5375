import { html } from '@filmgate/kit/http/html'
import { passwordLengthMax, passwordLengthMin } from '../auth/create-auth'
import { field, hidden, usernameOf } from '../layout/field'
import { type Notice, page } from '../layout/page'

export type SignUpIssues = { name?: string; email?: string; password?: string }

type View = { name?: string; email?: string; issues?: SignUpIssues; oidcName?: string; next: string }

export const signUpPage = ({ name = '', email = '', issues = {}, oidcName, next }: View): string =>
  page({
    title: 'Sign up',
    notice: Object.keys(issues).length > 0 ? { kind: 'wrong', text: 'Some fields need correcting.' } : undefined,
    content: html`<form method="post" action="/sign-up">
${hidden('next', next)}
${field({ required: true, name: 'name', label: 'Name', value: name, autocomplete: 'name', maxLength: 100, issue: issues.name, hint: 'Your account gets this name. You can rename it later.' })}
${field({ required: true, name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username', maxLength: 254, issue: issues.email })}
${field({
  required: true,
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  issue: issues.password,
  hint: `At least ${passwordLengthMin} characters.`,
})}
<p class="row"><button>Sign up</button></p>
</form>
${
  oidcName !== undefined &&
  html`<form method="post" action="/sign-in/oidc">${hidden('next', next)}<button class="second">Sign up with ${oidcName}</button></form>`
}
<p>Already have an account? <a href="/sign-in?next=${encodeURIComponent(next)}">Sign in</a></p>`,
  })

export const mailSentPage = (notice?: Notice): string =>
  page({
    title: 'Check your mailbox',
    notice,
    content: html`<p>We are sending a mail to your address. Open its link, in this browser if possible. The link is valid for one hour.</p>
<p>No mail? Check the spam folder, or <a href="/verify/again">resend it</a>.</p>`,
  })

type VerifyView = { email: string; token: string; needsPassword: boolean; issue?: string; isNewAddress?: boolean }

export const verifyPage = ({ email, token, needsPassword, issue, isNewAddress }: VerifyView): string =>
  page({
    title: isNewAddress ? 'Use your new address' : 'Confirm your address',
    content: html`<form method="post" action="/verify">
${hidden('token', token)}
<p>${isNewAddress ? 'From now on you sign in with' : 'You signed up with'} <strong>${email}</strong>.</p>
${
  needsPassword &&
  html`${usernameOf(email)}${field({
    required: true,
    name: 'password',
    label: 'The password you chose',
    type: 'password',
    autocomplete: 'current-password',
    issue,
    hint: 'Needed because you signed up in another browser.',
  })}`
}
<p class="row"><button>${isNewAddress ? 'Use this address' : 'Confirm the address'}</button></p>
</form>
${needsPassword && html`<p>You don’t know it? <a href="/reset">Choose a new password</a>. This also confirms the address.</p>`}`,
  })

export const verifyAgainPage = (email = '', issue?: string): string =>
  page({
    title: 'Resend the mail',
    content: html`<form method="post" action="/verify/again">
${field({ required: true, name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username', issue })}
<p class="row"><button>Send it again</button> <a href="/sign-in">Back to sign-in</a></p>
</form>`,
  })
