import { html } from '@filmgate/kit/http/html'
import { page } from '../layout/page'

export const linkEndedPage = (): string =>
  page({
    title: 'The link has expired',
    content: html`<p>Links work once and are valid for one hour.</p>
<p class="row"><a class="button" href="/sign-in">Sign in</a> <a href="/verify/again">Resend the mail</a></p>`,
  })
