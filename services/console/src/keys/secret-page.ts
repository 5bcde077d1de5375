import { html } from '@filmgate/kit/http/html'
import type { Inside } from '../accounts/member-of'
import { accountPath } from '../layout/menu'
import { time } from '../layout/numbers'
import { page } from '../layout/page'
import { secretScript, shownSecret } from './shown-secret'

type Shown = Inside & { name: string; secret: string; apiOrigin: string; formerUntil?: Date }

/** The one time that a secret is shown. */
export const secretPage = ({ person, member, memberships, name, secret, apiOrigin, formerUntil }: Shown): string => {
  const path = accountPath(member.accountId, 'keys')
  return page({
    title: formerUntil ? 'Key rotated' : 'Key created',
    person,
    account: { member, memberships, section: 'keys' },
    scripts: [secretScript],
    notice: { kind: 'done', text: 'Copy it now and keep it where nobody else reads. It is not shown again.' },
    content: html`<h2>${name}</h2>
${shownSecret(secret, path)}
${formerUntil && html`<p>The former secret works until ${time(formerUntil)}: give your programs the new one before then.</p>`}
<p>Send it as <code>Authorization: Bearer …</code> with each request. The <a href="${apiOrigin}/docs">reference</a> has examples.</p>
<p class="row"><a class="button" href="${path}">I have copied it</a></p>`,
  })
}
