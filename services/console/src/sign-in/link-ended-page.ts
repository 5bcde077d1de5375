import { html } from '@filmgate/kit/http/html'
import { page } from '../layout/page'

export const linkEndedPage = (): string =>
  page({
    title: 'The link doesn’t work any more',
    content: html`<p>Links work once, and for an hour.</p>
<p class="row"><a class="button" href="/sign-in">Sign in</a> <a href="/verify/again">Have the mail sent again</a></p>`,
  })
