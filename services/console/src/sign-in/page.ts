import { html } from '@filmgate/kit/http/html'
import { field, hidden } from '../layout/field'
import { type Notice, page } from '../layout/page'

type View = { email?: string; next: string; oidcName?: string; notice?: Notice; unverified?: boolean }

export const signInPage = ({ email = '', next, oidcName, notice, unverified }: View): string =>
  page({
    title: 'Sign in',
    notice: unverified
      ? { kind: 'wrong', text: html`Confirm your address first with the link in our mail. <a href="/verify/again">Resend it</a>` }
      : notice,
    scripts: ['passkey.browser.js'],
    content: html`<form method="post" action="/sign-in">
${hidden('next', next)}
${field({ required: true, name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username webauthn', maxLength: 254 })}
${field({ required: true, name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxLength: 128 })}
<p class="row"><button>Sign in</button> <a href="/reset">Forgot your password?</a></p>
</form>
<p class="issue" id="passkey-issue" role="alert" hidden></p>
<p class="row">
<button class="second" type="button" id="passkey-sign-in" data-passkey="sign-in" data-next="${next}" hidden>Sign in with a passkey</button>
</p>
${
  oidcName !== undefined &&
  html`<form method="post" action="/sign-in/oidc">${hidden('next', next)}<p class="row"><button class="second">Sign in with ${oidcName}</button></p></form>`
}
<p>No account yet? <a href="/sign-up?next=${encodeURIComponent(next)}">Sign up</a></p>`,
  })

export const secondFactorPage = (next: string, issue?: string): string =>
  page({
    title: 'Your second factor',
    content: html`<form method="post" action="/sign-in/second">
${hidden('next', next)}
${field({
  required: true,
  name: 'code',
  label: 'Code',
  autocomplete: 'one-time-code',
  maxLength: 20,
  issue,
  hint: 'The six digits that your authenticator shows, or one of your backup codes.',
})}
<p class="row"><button>Continue</button> <a href="/sign-in">Start again</a></p>
</form>`,
  })
