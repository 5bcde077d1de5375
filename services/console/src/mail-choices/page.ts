import { type Html, html } from '@filmgate/kit/http/html'
import type { Inside } from '../accounts/member-of'
import { isAtLeast } from '../accounts/roles'
import { field } from '../layout/field'
import { accountPath } from '../layout/menu'
import { type Notice, page } from '../layout/page'
import { type TaskEnded, taskEndedChoices } from './choice-repository'
import { type MailKind, stopPath } from './stop-link'

/** As the form has them: what is written in the field of the bound may be no number. */
export type ChoiceFields = { taskEnded: TaskEnded; bound: string; issue?: string }
type Shown = Inside & { fields: ChoiceFields; notice?: Notice | undefined }

const choiceWords: Record<TaskEnded, string> = {
  never: 'Never',
  long: 'When it took longer than a minute',
  always: 'Always',
}

export function mailChoicePage({ person, member, memberships, fields, notice }: Shown): string {
  return page({
    title: 'E-mails',
    person,
    account: { member, memberships, section: 'mails' },
    ...(notice && { notice }),
    content: html`<p>What Filmgate writes about this account to <strong>${person.email}</strong>. Each member chooses for themselves; every such e-mail has a link that ends it.</p>
${
  isAtLeast(member.role, 'member')
    ? choiceForm(accountPath(member.accountId, 'mails'), fields, member.role === 'owner')
    : html`<p class="empty">As a viewer you make no videos here, so there is nothing to write to you about.</p>`
}`,
  })
}

const choiceForm = (
  path: string,
  { taskEnded, bound, issue }: ChoiceFields,
  owns: boolean,
): Html => html`<form method="post" action="${path}">
<fieldset>
<legend>When a video that you make in the console is ready, or could not be made</legend>
${taskEndedChoices.map(
  each =>
    html`<label class="check"><input type="radio" name="task_ended" value="${each}"${each === taskEnded && html` checked`}>${choiceWords[each]}</label>`,
)}
</fieldset>
${
  owns &&
  field({
    name: 'low_balance',
    label: 'When the paid credits fall below',
    value: bound,
    issue,
    maxLength: 12,
    hint: 'A number of credits. Leave it empty for no such e-mail. You are written to once, and again only after the balance was above.',
  })
}
<p class="row"><button>Save</button></p>
</form>`

const kindWords: Record<MailKind, string> = {
  'task-ended': 'e-mails about your videos',
  'low-balance': 'e-mails about the balance',
}

/** Mailboxes open links by themselves, so a link shows a button. `accountName` is undefined for who has left the account: the link works on, and tells them no name. */
export const stopPage = ({ accountName, kind, token }: { accountName: string | undefined; kind: MailKind; token: string }): string =>
  page({
    title: 'Stop these e-mails',
    content: html`<p>You get no more ${kindWords[kind]} of ${accountName === undefined ? 'an account that you are not in any more' : html`the account “${accountName}”`}. Other e-mails stay as they are.</p>
<form method="post" action="${stopPath}?token=${encodeURIComponent(token)}"><p class="row"><button>Stop them</button></p></form>`,
  })

export const stoppedPage = ({ accountId, kind }: { accountId: string; kind: MailKind }): string =>
  page({
    title: 'They are stopped',
    content: html`<p>You get no more ${kindWords[kind]}. <a href="${accountPath(accountId, 'mails')}">Choose your e-mails</a> at any time.</p>`,
  })
