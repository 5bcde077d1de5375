import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { isAtLeast } from '../accounts/roles'
import { field } from '../layout/field'
import { accountPath } from '../layout/menu'
import { type Notice, page } from '../layout/page'
import { type TaskEmailOption, taskEmailOptions } from './preference-repository'
import { type MailKind, unsubscribePath } from './unsubscribe-link'

/** The form's values; the threshold may not be a number. */
export type PreferenceFields = { taskEnded: TaskEmailOption; threshold: string; issue?: string }
type View = MemberContext & { fields: PreferenceFields; notice?: Notice | undefined }

const taskEmailLabels: Record<TaskEmailOption, string> = {
  never: 'Never',
  long: 'When it took longer than a minute',
  always: 'Always',
}

export function emailPreferencesPage({ person, member, memberships, fields, notice }: View): string {
  return page({
    title: 'E-mails',
    person,
    account: { member, memberships, section: 'mails' },
    ...(notice && { notice }),
    content: html`<p>What Filmgate writes about this account to <strong>${person.email}</strong>. Each member chooses for themselves; every such e-mail has a link that ends it.</p>
${
  isAtLeast(member.role, 'member')
    ? preferencesForm(accountPath(member.accountId, 'mails'), fields, member.role === 'owner')
    : html`<p class="empty">As a viewer you make no videos here, so there is nothing to write to you about.</p>`
}`,
  })
}

const preferencesForm = (
  path: string,
  { taskEnded, threshold, issue }: PreferenceFields,
  isOwner: boolean,
): Html => html`<form method="post" action="${path}">
<fieldset>
<legend>When a video that you make in the console is ready, or could not be made</legend>
${taskEmailOptions.map(
  each =>
    html`<label class="check"><input type="radio" name="task_ended" value="${each}"${each === taskEnded && html` checked`}>${taskEmailLabels[each]}</label>`,
)}
</fieldset>
${
  isOwner &&
  field({
    name: 'low_balance',
    label: 'When the paid credits fall below',
    value: threshold,
    issue,
    maxLength: 12,
    hint: 'A number of credits. Leave it empty for no such e-mail. You are written to once, and again only after the balance was above.',
  })
}
<p class="row"><button>Save</button></p>
</form>`

const kindText: Record<MailKind, string> = {
  'task-ended': 'e-mails about your videos',
  'low-balance': 'e-mails about the balance',
}

/**
 * Mail software opens links by itself, so the link shows a button. `accountName` is undefined for former members: the
 * link still works, but doesn't show them the name.
 */
export const unsubscribePage = ({ accountName, kind, token }: { accountName: string | undefined; kind: MailKind; token: string }): string =>
  page({
    title: 'Stop these e-mails',
    content: html`<p>You get no more ${kindText[kind]} of ${accountName === undefined ? 'an account that you are not in any more' : html`the account “${accountName}”`}. Other e-mails stay as they are.</p>
<form method="post" action="${unsubscribePath}?token=${encodeURIComponent(token)}"><p class="row"><button>Stop them</button></p></form>`,
  })

export const unsubscribedPage = ({ accountId, kind }: { accountId: string; kind: MailKind }): string =>
  page({
    title: 'They are stopped',
    content: html`<p>You get no more ${kindText[kind]}. <a href="${accountPath(accountId, 'mails')}">Choose your e-mails</a> at any time.</p>`,
  })
