import { html } from '@filmgate/kit/http/html'
import { field, hidden } from '../../layout/field'
import { page } from '../../layout/page'

export const requestUnlockPage = (email = '', issue?: string): string =>
  page({
    title: 'Sign in from this browser',
    content: html`<p>Somebody tried too many passwords for this account. A link from your mailbox lets this browser sign in at once.</p>
<form method="post" action="/sign-in/unlock">
${field({ required: true, name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username', maxLength: 254, issue })}
<p class="row"><button>Send me a link</button> <a href="/sign-in">Back to sign-in</a></p>
</form>`,
  })

export const unlockSentPage = (): string =>
  page({
    title: 'Check your mailbox',
    content: html`<p>If the address has an account, we have sent a link to it. Open it in this browser. The link works once and is valid for one hour.</p>
<p><a href="/sign-in">Back to sign-in</a></p>`,
  })

export const unlockPage = (token: string): string =>
  page({
    title: 'Let this browser sign in',
    content: html`<form method="post" action="/sign-in/unlock/use">
${hidden('token', token)}
<p>You sign in with your password next.</p>
<p class="row"><button>Let this browser sign in</button></p>
</form>`,
  })
