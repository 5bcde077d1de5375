import { html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { accountPath } from '../layout/menu'
import { time } from '../layout/numbers'
import { page } from '../layout/page'
import { firstSteps } from './first-steps'
import { secretField, secretScript } from './secret-field'

type View = MemberContext & { name: string; secret: string; apiOrigin: string; apiUrl: string; previousUntil?: Date }

/** Shows a secret once. */
export const secretPage = ({ person, member, memberships, name, secret, apiOrigin, apiUrl, previousUntil }: View): string => {
  const path = accountPath(member.accountId, 'keys')
  return page({
    title: previousUntil ? 'Key rotated' : 'Key created',
    person,
    account: { member, memberships, section: 'keys' },
    scripts: [secretScript],
    notice: { kind: 'done', text: 'Copy the secret now and store it safely. It is not shown again.' },
    content: html`<h2>${name}</h2>
${secretField(secret, path)}
${previousUntil && html`<p>The previous secret works until ${time(previousUntil)}. Update your programs before then.</p>`}
${previousUntil === undefined && firstSteps({ secret, apiUrl, apiOrigin })}
<p class="row"><a class="button" href="${path}">I have copied it</a></p>`,
  })
}
