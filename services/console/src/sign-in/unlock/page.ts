import { html } from '@filmgate/kit/http/html'
import { hidden } from '../../layout/field'
import { page } from '../../layout/page'
import { linkRequestPage, linkSentPage } from '../link-pages'

export const requestUnlockPage = (email = '', issue?: string): string =>
  linkRequestPage({
    title: 'Sign in from this browser',
    action: '/sign-in/unlock',
    intro: html`<p>Somebody tried too many passwords for this account. A link from your mailbox lets this browser sign in at once.</p>
`,
    email,
    issue,
  })

export const unlockSentPage = (): string => linkSentPage('Open it in this browser. ')

export const unlockPage = (token: string): string =>
  page({
    title: 'Let this browser sign in',
    content: html`<form method="post" action="/sign-in/unlock/use">
${hidden('token', token)}
<p>You sign in with your password next.</p>
<p class="row"><button>Let this browser sign in</button></p>
</form>`,
  })
