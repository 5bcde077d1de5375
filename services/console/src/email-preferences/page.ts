import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import { isAtLeast } from '../accounts/roles'
import { field } from '../layout/field'
import { accountPath } from '../layout/menu'
import { type Notice, page } from '../layout/page'
import { type TaskEmailOption, taskEmailOptions } from './preference-repository'
import { type MailKind, unsubscribePath } from './unsubscribe-link'

/** The form's values; the threshold may not be a number. */
export type PreferenceFields = { taskEnded: TaskEmailOption; threshold: string; warnings: boolean; issue?: string }
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
    content: html`<p>The e-mails about this account that Filmgate sends to <strong>${person.email}</strong>. Each member has their own settings. Every e-mail has an unsubscribe link.</p>
${
  isAtLeast(member.role, 'member')
    ? preferencesForm(accountPath(member.accountId, 'mails'), fields, member.role === 'owner')
    : html`<p class="empty">Viewers create no videos, so there are no e-mails to choose.</p>`
}`,
  })
}

const preferencesForm = (
  path: string,
  { taskEnded, threshold, warnings, issue }: PreferenceFields,
  isOwner: boolean,
): Html => html`<form method="post" action="${path}">
<fieldset>
<legend>When a video that you created in the console is ready or has failed</legend>
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
    hint: 'A number of credits, or empty for no e-mail. You get one e-mail, and another only after the balance was above it again.',
  })
}
<fieldset>
<legend>Warnings</legend>
<label class="check"><input type="checkbox" name="warnings" value="yes"${warnings && html` checked`}>${
  isOwner
    ? 'When 80 % and when all of a budget is spent, and when a webhook endpoint is paused'
    : 'When 80 % and when all of my budget is spent'
}</label>
</fieldset>
<p class="row"><button>Save</button></p>
</form>`

const kindText: Record<MailKind, string> = {
  'task-ended': 'e-mails about your videos',
  'low-balance': 'e-mails about the balance',
  warnings: 'e-mails about budgets and webhooks',
}

/**
 * Mail software opens links by itself, so the link shows a button. `accountName` is undefined for former members: the
 * link still works, but doesn't show them the name.
 */
export const unsubscribePage = ({ accountName, kind, token }: { accountName: string | undefined; kind: MailKind; token: string }): string =>
  page({
    title: 'Unsubscribe',
    content: html`<p>You will no longer get ${kindText[kind]} of ${accountName === undefined ? 'an account that you have left' : html`the account “${accountName}”`}. Other e-mails are not affected.</p>
<form method="post" action="${unsubscribePath}?token=${encodeURIComponent(token)}"><p class="row"><button>Unsubscribe</button></p></form>`,
  })

export const unsubscribedPage = ({ accountId, kind }: { accountId: string; kind: MailKind }): string =>
  page({
    title: 'Unsubscribed',
    content: html`<p>You will no longer get ${kindText[kind]}. You can <a href="${accountPath(accountId, 'mails')}">change your e-mail settings</a> at any time.</p>`,
  })
