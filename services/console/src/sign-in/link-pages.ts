import { type Html, html } from '@filmgate/kit/http/html'
import { field } from '../layout/field'
import { page } from '../layout/page'

type LinkRequest = { title: string; action: string; intro?: Html; email: string; issue: string | undefined }

/** Asks for the address that a link is mailed to. */
export const linkRequestPage = ({ title, action, intro, email, issue }: LinkRequest): string =>
  page({
    title,
    content: html`${intro}<form method="post" action="${action}">
${field({ required: true, name: 'email', label: 'E-mail address', type: 'email', value: email, autocomplete: 'username', maxLength: 254, issue })}
<p class="row"><button>Send me a link</button> <a href="/sign-in">Back to sign-in</a></p>
</form>`,
  })

/** The same for known and unknown addresses. */
export const linkSentPage = (whereToOpen = ''): string =>
  page({
    title: 'Check your mailbox',
    content: html`<p>If the address has an account, we have sent a link to it. ${whereToOpen}The link works once and is valid for one hour.</p>
<p><a href="/sign-in">Back to sign-in</a></p>`,
  })

export const linkEndedPage = (): string =>
  page({
    title: 'The link has expired',
    content: html`<p>Links work once and are valid for one hour.</p>
<p class="row"><a class="button" href="/sign-in">Sign in</a> <a href="/verify/again">Resend the mail</a></p>`,
  })
